/** An instance of a row: the same numbers for every contender, in memory and as .npy files, and one judge for all answers. */
import { type Measures, measurer, randomStart } from "@expen/core";
import { brockett, noeig } from "@expen/experiments/paper";
import type { Problem } from "@expen/experiments/problems";
import { quadratic } from "@expen/experiments/problems";
import type { Engine, Matrix } from "@expen/linalg";
import { gaussian, random, unitSymmetric } from "@expen/linalg";
import { polar } from "@expen/linalg/dense";
import { tallOf } from "@expen/linalg/engine";
import { writeMatrices } from "./left-behind.js";
import type { Row } from "./rows.js";

export interface Instance extends Row {
  X0: Matrix;
  /** B and C of Brockett's function, A and L of a quadratic one with a linear term */
  data: { B?: Matrix; C?: Matrix; A?: Matrix; L?: Matrix };
  optimum: number | null;
  /** paths of the .npy files of X0 and of the data */
  files: Record<string, string>;
  folder: string;
  dispose(): void;
}

/** Draws data and start and writes them to files; `E` does the arithmetic, not a contender. */
export function drawInstance(E: Engine, row: Row, seed = 1): Instance {
  const { n, p } = row;
  const start = randomStart(E, n, p, seed);
  const X0 = { rows: n, cols: p, data: Float64Array.from(start.data) };
  const data = dataOf(row, seed);
  const optimum = problemOn(E, { ...row, data }).optimum ?? null;
  return { ...row, X0, data, optimum, ...writeMatrices({ X0, ...data }) };
}

/** Size of the linear term relative to the quadratic one. */
const LINEAR = 0.1;

function dataOf({ problem, n, p }: Row, seed: number): Instance["data"] {
  if (problem === "brockett") {
    return { B: unitSymmetric(n, random(seed, "brockett B")), C: unitSymmetric(p, random(seed, "brockett C")) };
  }
  if (problem === "noeig") return {};
  const L = gaussian(n, p, random(seed, "quadratic L"));
  const size = LINEAR / (Math.sqrt(n) + Math.sqrt(p));
  return { A: unitSymmetric(n, random(seed, "quadratic A")), L: { ...L, data: L.data.map((v) => size * v) } };
}

export function problemOn(E: Engine, { problem, n, p, data }: Row & Pick<Instance, "data">): Problem {
  if (problem === "noeig") return noeig(E, { n, p });
  if (problem === "brockett") return brockett(E, { n, p, ...data });
  return quadratic(E, { n, p, A: data.A!, G: data.L! });
}

export interface Judgement extends Measures {
  /** ‖XᵀX − I‖_F as delivered; `feasibility` is that of the projection */
  feasibilityBefore: number;
  /** (f − f*)/|f*| where f* is known */
  gap: number | null;
}

/** f, stationarity, feasibility and gap of any X after projection, by one function for all. */
export function judge(E: Engine, instance: Instance): (X: Matrix) => Judgement {
  const { n, p, optimum } = instance;
  const { measure, feasibilityOf } = measurer(E, problemOn(E, instance).objective);
  const project = polar(E, n, p);
  const P = E.tall(n, p);
  return (X) => {
    const given = tallOf(E, X);
    const feasibilityBefore = feasibilityOf(given);
    project(P, given);
    const measures = measure(P);
    const gap = optimum === null ? null : (measures.fval - optimum) / Math.abs(optimum);
    return { ...measures, feasibilityBefore, gap };
  };
}
