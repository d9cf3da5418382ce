/** The cost of automatic derivatives: time of one fg and one Hessian-vector product of the tape over the hand-written ones. */
import "@expen/engines/relaxed-simd";
import type { Objective } from "@expen/core";
import { type EngineName, openEngine } from "@expen/engines";
import { brockett, noeig } from "@expen/experiments/paper";
import type { Engine } from "@expen/linalg";
import { fillNormal, random, unitSymmetric } from "@expen/linalg";
import { constantTridiagonal } from "@expen/linalg/arrays";
import {
  add,
  compile,
  dot as inner,
  mul,
  rowSums,
  scale,
  solve,
  square,
  type TapeObjective,
  t,
  trace,
} from "@expen/tape";
import { formulaTable } from "./formulas.js";

const [n, p] = [1000, 50];
/** Rounds of each formula, of which the best counts. */
const ROUNDS = 15;

/** The best time of each in milliseconds; they take turns, so that both see the same machine. */
function race(jobs: readonly (() => void)[]): number[] {
  const best = jobs.map(() => Number.POSITIVE_INFINITY);
  const calls = jobs.map((job) => {
    const begin = performance.now();
    job();
    job();
    return Math.max(1, Math.ceil(20 / (performance.now() - begin)));
  });
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, job] of jobs.entries()) {
      const begin = performance.now();
      for (let k = 0; k < calls[i]!; k++) job();
      best[i] = Math.min(best[i]!, (performance.now() - begin) / calls[i]!);
    }
  }
  return best;
}

function tapes(E: Engine): [string, Objective, TapeObjective][] {
  const [B, C] = [unitSymmetric(n, random(1, "B")), unitSymmetric(p, random(1, "C"))];
  const L = constantTridiagonal(n, -1, 2, -1);
  return [
    [
      "brockett",
      brockett(E, { n, p, B, C }).objective,
      compile(E, { n, p }, (X) => scale(0.5, trace(mul(t(X), B, X, C)))),
    ],
    [
      "noeig",
      noeig(E, { n, p }).objective,
      compile(E, { n, p }, (X) => {
        const rho = rowSums(square(X));
        return add(scale(0.5, trace(mul(t(X), L, X))), scale(0.25, inner(rho, solve(L, rho))));
      }),
    ],
  ];
}

// node bench/dist/tape.js [--formulas] [engines]
const formulasOnly = process.argv.includes("--formulas");
const names = process.argv.slice(2).filter((word) => word !== "--formulas") as EngineName[];
console.log(`n = ${n}, p = ${p}; milliseconds, best of ${ROUNDS}`);
for (const name of names.length > 0 ? names : (["wasm"] as const)) {
  const E = await openEngine(name);
  const [X, D, G] = [E.tall(n, p), E.tall(n, p), E.tall(n, p)];
  for (const M of [X, D]) fillNormal(M, random(1, "point"), E);
  for (const [problem, hand, tape] of formulasOnly ? [] : tapes(E)) {
    const [a, b] = [hand.linearize?.(X), tape.linearize(X)];
    // the linearization first: hvp makes another one
    const rows: [string, () => void, () => void][] = [
      ["linearized", () => (a ? a(G, D) : hand.hvp!(G, X, D)), () => b(G, D)],
      ["hvp", () => hand.hvp!(G, X, D), () => tape.hvp(G, X, D)],
      ["fg", () => hand.fg(G, X), () => tape.fg(G, X)],
      ["f", () => hand.f(X), () => tape.f(X)],
    ];
    for (const [what, byHand, byTape] of rows) {
      const [h, s] = race([byHand, byTape]) as [number, number];
      const line = [E.name, problem, what].map((word) => word.padEnd(11)).join("");
      console.log(
        `${line}hand ${h.toFixed(3).padStart(8)}   tape ${s.toFixed(3).padStart(8)}   ratio ${(s / h).toFixed(2)}`,
      );
    }
  }
  await formulaTable(E);
  E.dispose();
}
