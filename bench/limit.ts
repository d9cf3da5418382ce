/**
 * `npm run bench:limit`: the time of `expen` on `blas` against the time that its own calls of BLAS and LAPACK, products, triangular divisions
 * and eigenproblems, take alone.
 */
import "@expen/engines/relaxed-simd";
import { pathToFileURL } from "node:url";
import { blasEngine } from "@expen/engines/blas";
import type { Engine, Matrix, Small, Tall } from "@expen/linalg";
import { fillNormal, random } from "@expen/linalg";
import { kindless } from "@expen/linalg/engine";
import { solveStiefel } from "@expen/solvers";
import { scriptOptions } from "./arguments.js";
import { type Clock, clockNamed, clocks } from "./contender.js";
import { collectGarbage } from "./garbage.js";
import { drawInstance, problemOn } from "./instance.js";
import { chooseRows, type Row, rowId } from "./rows.js";
import { race, runner } from "./timing.js";

/** The rows of target 4 */
export const NEAR_LIMIT = "noeig:1000x50,brockett:1000x50";

/** Passes through the shapes. */
const ROUNDS = 3;

export interface Limit {
  id: string;
  /** best of the runs */
  seconds: number;
  /** Σ over the shapes of calls × best time of one call alone */
  productSeconds: number;
  ratio: number;
  gflop: number;
  /** speed of these calls alone */
  gflops: number;
  /** the shapes that take the most, in words */
  shapes: { call: string; count: number; seconds: number }[];
}

type Product = "gram" | "tmul" | "mul" | "mulT";
const PRODUCTS: Product[] = ["gram", "tmul", "mul", "mulT"];

/** A size with the kind of the matrix; the matrix of an operator has no kind */
type Shape = Pick<Matrix, "rows" | "cols"> & { kind?: "tall" | "small" };

interface Call {
  kind: Product | "apply" | "divide" | "eigh";
  inputs: Shape[];
  destination: Shape;
  count: number;
}

/** The engine with counts of products, divisions and eigenproblems by shape. */
function counting(E: Engine): { engine: Engine; calls: Map<string, Call> } {
  const calls = new Map<string, Call>();
  const size = ({ rows, cols, kind }: Shape): Shape => ({ rows, cols, ...(kind && { kind }) });
  function note(kind: Call["kind"], destination: Shape, factors: Shape[]): void {
    const key = `${kind} ${factors.map(({ rows, cols }) => `${rows}×${cols}`).join(" · ")}`;
    const call = calls.get(key) ?? { kind, inputs: factors.map(size), destination: size(destination), count: 0 };
    call.count++;
    calls.set(key, call);
  }
  const wrapped = PRODUCTS.map((kind) => {
    const original = E[kind] as (...args: unknown[]) => void;
    const counted = (S: Matrix, A: Matrix, ...rest: unknown[]): void => {
      note(kind, S, kind === "gram" ? [A] : [A, rest[0] as Matrix]);
      original(S, A, ...rest);
    };
    return [kind, counted];
  });
  const factor: Engine["factor"] = {
    ...E.factor,
    divide(Y, R) {
      note("divide", Y, [Y, R]);
      E.factor.divide(Y, R);
    },
    eigh(V, w, S) {
      note("eigh", V, [S]);
      E.factor.eigh(V, w, S);
    },
  };
  const operator: Engine["operator"] = (A) => {
    const B = E.operator(A);
    if (!("data" in A)) return B;
    return {
      ...B,
      apply(Y, X, a, b) {
        note("apply", Y, [{ rows: A.rows, cols: A.cols }, X]);
        B.apply(Y, X, a, b);
      },
    };
  };
  return { engine: { ...E, ...Object.fromEntries(wrapped), factor, operator }, calls };
}

/** Best seconds of one call alone, with its matrices in cache as far as they fit. */
async function alone(engine: Engine, { kind, inputs, destination }: Call): Promise<number> {
  const E = kindless(engine);
  const make = ({ rows, cols, kind = "tall" }: Shape): Tall | Small => {
    const A = E[kind](rows, cols);
    fillNormal(A, random(1, "limit"));
    return A;
  };
  const [Y, factors] = [make(destination), inputs.map(make)];
  // R = I keeps Y from growing
  const R = E.small(destination.cols, destination.cols);
  E.addDiagonal(R, 1);
  const B = E.operator(factors[0]!);
  const values = new Float64Array(destination.rows);
  const call = {
    apply: () => B.apply(Y, factors[1]!),
    divide: () => E.factor.divide(Y, R),
    eigh: () => E.factor.eigh(Y, values, factors[0]!),
    gram: () => E.gram(Y, factors[0]!),
    tmul: () => E.tmul(Y, factors[0]!, factors[1]!),
    mul: () => E.mul(Y, factors[0]!, factors[1]!),
    mulT: () => E.mulT(Y, factors[0]!, factors[1]!),
  }[kind];
  const times = await race([runner(kind, call)], 0.2);
  return times.get(kind)!;
}

export async function nearLimit(
  rows: Row[],
  { repeats = 2, tol = 1e-3, clock = "wall" as Clock } = {},
): Promise<Limit[]> {
  const E = await blasEngine({ threads: 1 });
  const limits: Limit[] = [];
  for (const row of rows) {
    const instance = drawInstance(E, row);
    const solve = async (E: Engine): Promise<number> => {
      const { objective } = problemOn(E, instance);
      const began = clocks[clock]();
      const steps = await solveStiefel(E, objective, { start: instance.X0, tol, certificate: "stationary" });
      while (!steps.next().done);
      return clocks[clock]() - began;
    };
    const { engine, calls } = counting(E);
    const before = E.counters.flops;
    await solve(engine); // warms up too
    const gflop = (E.counters.flops - before) / 1e9;
    let seconds = Number.POSITIVE_INFINITY;
    const shapes = [...calls].map(([call, { count }]) => ({ call, count, seconds: Number.POSITIVE_INFINITY }));
    // runs and calls in turns: a shared machine may be slow for some seconds, which must not fall on all runs, or on all calls of a shape
    for (let round = 0; round < ROUNDS; round++) {
      for (const shape of shapes) {
        for (let i = 0; i < repeats; i++) {
          await collectGarbage();
          seconds = Math.min(seconds, await solve(E));
        }
        shape.seconds = Math.min(shape.seconds, shape.count * (await alone(E, calls.get(shape.call)!)));
      }
    }
    shapes.sort((a, b) => b.seconds - a.seconds);
    const productSeconds = shapes.reduce((sum, { seconds }) => sum + seconds, 0);
    const ratio = seconds / productSeconds;
    limits.push({
      id: rowId(row),
      seconds,
      productSeconds,
      ratio,
      gflop,
      gflops: gflop / productSeconds,
      shapes: shapes.slice(0, 6),
    });
    instance.dispose();
  }
  E.dispose();
  return limits;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { rows, clock } = scriptOptions({ rows: (text = NEAR_LIMIT) => chooseRows(text), clock: clockNamed });
  const limits = await nearLimit(rows, { clock });
  for (const { id, seconds, productSeconds, ratio, gflop, gflops, shapes } of limits) {
    console.log(
      `${id}: ${seconds.toFixed(3)} s, its BLAS and LAPACK calls alone ${productSeconds.toFixed(3)} s (${gflop.toFixed(1)} GFLOP at ${gflops.toFixed(1)} GFLOP/s), ratio ${ratio.toFixed(2)}`,
    );
    for (const { call, count, seconds } of shapes) {
      console.log(`  ${call.padEnd(32)} ${String(count).padStart(6)} calls ${seconds.toFixed(4).padStart(9)} s`);
    }
  }
}
