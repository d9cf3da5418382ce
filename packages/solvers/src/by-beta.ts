/** Solvers whose β is a number, a rule, or "auto", which leaves it to the rule of the method. */
import type { BeginSolver, Chosen, Schema } from "@expen/core";
import { fixedBeta } from "@expen/core/expen";
import type { AugmentedBbOptions } from "./barzilai-borwein/augmented-bb.js";
import { pcal as pcalOf } from "./pcal.js";
import { pencf as pencfOf } from "./pencf.js";
import { pencs as pencsOf } from "./pencs.js";
import { plam as plamOf } from "./plam.js";

type ByBeta = BeginSolver<Chosen<Required<Pick<Schema, "beta">>>>;

const byBeta =
  (begin: BeginSolver<AugmentedBbOptions>): ByBeta =>
  (E, f, X0, { beta: rule, ...o }) => {
    const { seed, on } = o;
    return begin(E, f, X0, { ...o, beta: rule === "auto" ? undefined : fixedBeta(E, f, X0, rule, { seed, on }) });
  };

export const plam: ByBeta = byBeta(plamOf);
export const pcal: ByBeta = byBeta(pcalOf);
export const pencf: ByBeta = byBeta(pencfOf);
export const pencs: ByBeta = byBeta(pencsOf);
