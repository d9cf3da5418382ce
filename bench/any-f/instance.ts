/** An instance of a family: the same numbers for every contender, in memory and as .npy files, and one judge for all answers. */
import type { Objective } from "@expen/core";
import { type Measures, measurer, objective, randomStart } from "@expen/core";
import type { Engine, Matrix } from "@expen/linalg";
import { random } from "@expen/linalg";
import { polar } from "@expen/linalg/dense";
import { tallOf } from "@expen/linalg/engine";
import { writeMatrices } from "../left-behind.js";
import type { Posed } from "../peers.js";
import type { Data, Family } from "./family.js";

export interface Case {
  readonly family: Family;
  readonly n: number;
  readonly p: number;
  readonly seed: number;
}

export const caseId = ({ family, n, p, seed }: Case): string => `${family.name}:${n}x${p}:${seed}`;

export interface AnyInstance extends Case, Posed {
  readonly X0: Matrix;
  readonly data: Data;
  /** gradient norm to be reached */
  readonly tol: number;
  dispose(): void;
}

/** f on an engine, without declared structure. */
export function objectiveOn(E: Engine, { family, n, p }: Case, data: Data): Objective {
  return objective(E, { fg: family.on(E, n, p, data) }, n, p);
}

/** Draws data and start and writes them to files; `E` does the arithmetic, not a contender. */
export function drawCase(E: Engine, one: Case, relativeTol: number): AnyInstance {
  const { family, n, p, seed } = one;
  const data = family.draw(n, p, random(seed, family.name));
  const X0 = { rows: n, cols: p, data: Float64Array.from(randomStart(E, n, p, seed).data) };
  const { stationarity } = measurer(E, objectiveOn(E, one, data)).measure(tallOf(E, X0));
  return {
    ...one,
    problem: `any-f/${family.name}`,
    X0,
    data,
    tol: relativeTol * stationarity,
    ...writeMatrices({ X0, ...data }),
  };
}

/** f, stationarity and feasibility of any X after projection. */
export function judgeOf(E: Engine, instance: AnyInstance): (X: Matrix) => Measures {
  const { n, p, data } = instance;
  const { measure } = measurer(E, objectiveOn(E, instance, data));
  const [project, P] = [polar(E, n, p), E.tall(n, p)];
  return (X) => {
    project(P, tallOf(E, X));
    return measure(P);
  };
}
