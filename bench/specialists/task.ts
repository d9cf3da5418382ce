/** A task of a field: the data, our application, the tools of the field, and one function that judges all answers. */

import * as apps from "@expen/apps";
import {
  negentropy,
  orthogonalJointDiagonality,
  orthomax,
  rotationKinds,
  sparseRegression,
} from "@expen/apps/objectives";
import type { Objective, Result } from "@expen/core";
import { quadraticObjective } from "@expen/core";
import { procrustes as procrustesProblem } from "@expen/experiments/problems";
import type { Engine, Matrix } from "@expen/linalg";
import { plainProduct, plainTranspose } from "@expen/linalg";
import { centred, entries, scaledBy, stacked } from "../any-f/draw.js";
import { principal, whitened } from "./data.js";
import { covarianceForm } from "./forms.js";

/** The part of a run that the tables show */
export interface RunSummary extends Pick<Result, "evaluations" | "iterations"> {
  readonly status: string;
  readonly reason: { readonly converged: boolean; readonly text: string };
  readonly certificate: { readonly level: string };
}

export interface SpecialistTask {
  /** name of the field, as in peers/specialists.py */
  readonly field: string;
  readonly name: string;
  readonly n: number;
  readonly p: number;
  /** letters → numbers, for the tools */
  readonly data: Readonly<Record<string, Matrix>>;
  /** the names of its tools in peers/; those in `others` minimise another function */
  readonly peers: readonly string[];
  readonly others?: readonly string[];
  /** number of seeded starts in sequence; the best answer counts, and the time of all */
  readonly starts: number;
  /** start of the tools; random, or the first columns of I, by default */
  readonly start?: Matrix;
  /** tolerance of the tools, in their own measure */
  readonly tol: number;
  /** our answer, in the form the tools have, from the start of that seed */
  ours(E: Engine, seed: number, certificate: "stationary" | "second-order"): Promise<{ X: Matrix; run: RunSummary }>;
  objective(E: Engine): Objective;
  /** the point of the manifold of an answer; the answer itself by default */
  point?(answer: Matrix): Matrix;
}

export function pca(name: string, A: Matrix, p: number, peers = ["sklearn-pca"]): SpecialistTask {
  return {
    field: "pca",
    name: `${name}, ${A.rows}×${A.cols}, p = ${p}`,
    n: A.cols,
    p,
    data: { A },
    peers,
    starts: 1,
    tol: 0,
    async ours(engine, _seed, certificate) {
      const { components, run } = await apps.pca(A, { engine, p, certificate });
      return { X: components, run };
    },
    objective: (E) => quadraticObjective(E, A.cols, p, covarianceForm(E, centred(A))),
  };
}

/** The best subspace for AX; the tool's has no centre. */
export function svd(name: string, A: Matrix, p: number): SpecialistTask {
  return {
    field: "svd",
    name: `${name}, ${A.rows}×${A.cols}, p = ${p}`,
    n: A.cols,
    p,
    data: { A },
    peers: ["sklearn-svd", "sklearn-svd-random"],
    starts: 1,
    tol: 0,
    async ours(engine, _seed, certificate) {
      const answer = await apps.truncatedSvd(A, { engine, p, proof: certificate === "second-order" });
      const { V, converged, method: text, products: hvp } = answer;
      const reason = { converged, text };
      const evaluations = { f: 0, grad: 0, hvp };
      return {
        X: V,
        run: { ...answer, status: converged ? "converged" : "failed", reason, evaluations, iterations: 0 },
      };
    },
    objective: (E) => quadraticObjective(E, A.cols, p, covarianceForm(E, A)),
  };
}

export function procrustes(name: string, A: Matrix, B: Matrix): SpecialistTask {
  const n = A.cols;
  return {
    field: "procrustes",
    name: `${name}, ${A.rows}×${n}`,
    n,
    p: n,
    data: { A, B },
    peers: ["scipy-procrustes"],
    starts: 1,
    tol: 0,
    ours: (engine, _seed, certificate) => apps.procrustes(A, B, { engine, certificate }),
    objective: (E) => procrustesProblem(E, { n, p: n, A, B }).objective,
  };
}

export function rotation(kind: "varimax" | "quartimax", name: string, L: Matrix): SpecialistTask {
  const { rows: v, cols: k } = L;
  // factor-analyzer makes rows of length 1 for varimax alone
  const normalise = kind === "varimax";
  return {
    field: kind,
    name: `${name}, ${v}×${k}`,
    n: k,
    p: k,
    data: { L },
    peers: [`factor_analyzer-${kind}`, `factor_analyzer-${kind}-tight`],
    starts: 1,
    tol: 0,
    async ours(engine, _seed, certificate) {
      const { rotation, run } = await apps.factorRotation(L, { engine, kind, normalise, certificate });
      return { X: rotation, run };
    },
    objective: (E) => orthomax(E, normalise ? unitRows(L) : L, rotationKinds[kind]()).f,
  };
}

const unitRows = ({ rows, cols, data: numbers }: Matrix): Matrix =>
  entries(rows, cols, (i, j) => numbers[i * cols + j]! / Math.hypot(...numbers.subarray(i * cols, (i + 1) * cols)));

export function ica(name: string, A: Matrix, p: number): SpecialistTask {
  const Z = whitened(A, p);
  const raw = centred(A);
  return {
    field: "ica",
    name: `${name}, ${A.rows}×${A.cols}, p = ${p}`,
    n: p,
    p,
    data: { A },
    peers: ["picard-o", "sklearn-fastica"],
    starts: 5,
    tol: 1e-7,
    async ours(engine, seed, certificate) {
      const { unmixing, run } = await apps.ica(A, {
        engine,
        p,
        sum: "absolute",
        starts: 1,
        seed,
        tol: 1e-6,
        certificate,
      });
      return { X: unmixing, run };
    },
    objective: (E) => negentropy(E, Z, "logcosh", "absolute").f,
    point: (unmixing) => scaledBy(1 / A.rows, plainProduct(plainTranspose(Z), plainProduct(raw, unmixing))),
  };
}

export function joint(name: string, matrices: Matrix[], positive: boolean): SpecialistTask {
  const n = matrices[0]!.rows;
  return {
    field: "joint-diagonalization",
    name: `${name}, ${matrices.length} of ${n}×${n}`,
    n,
    p: n,
    data: { A: stacked(matrices) },
    peers: ["pyriemann-rjd", ...(positive ? ["qndiag"] : [])],
    others: ["qndiag"],
    starts: 1,
    tol: 1e-8,
    ours: (engine, _seed, certificate) => apps.jointDiagonalization(matrices, { engine, certificate }),
    objective: (E) => orthogonalJointDiagonality(E, matrices).f,
  };
}

/** The tool takes −2⟨CX, Y⟩ + ‖Y‖² + λΣ|Y|, twice ours with λ = 2·weight; C = AᵀA of its A. */
export function sparse(name: string, A: Matrix, p: number, weight: number): SpecialistTask {
  const raw = scaledBy(1 / Math.sqrt(A.rows - 1), centred(A));
  return {
    field: "sparse-pca",
    name: `${name}, ${A.rows}×${A.cols}, p = ${p}, weight ${weight}`,
    n: A.cols,
    p,
    data: { A: raw, weight: entries(1, 1, () => 2 * weight) },
    peers: ["sparsepca-amanpg"],
    starts: 1,
    start: principal(raw, p).V,
    tol: 1e-8,
    async ours(engine, _seed, certificate) {
      const { run } = await apps.sparsePca(A, { engine, p, weight, kind: "regression", certificate });
      return { X: run.X, run };
    },
    objective: (E) => sparseRegression(E, A.cols, p, covarianceForm(E, centred(A)), weight).f,
  };
}
