/** The visitor's objective: a function body over the tape's operations, compiled, and its mistakes with their lines. */
import * as tape from "expen/autodiff/index.js";
import { constantTridiagonal } from "expen/linalg/tridiagonal.js";
import { gaussian, randomOrthonormal, unitSymmetric } from "expen/problems/instances.js";
import { random } from "expen/random.js";
import type { Engine, Matrix } from "expen/types.js";
import type { CodeMessage } from "../protocol.js";

const { compile, TapeError, ...operations } = tape;

export interface CodeContext {
  n: number;
  p: number;
  seed: number;
}

/** Seeded data for formulas; each name of a stream gives other numbers. */
function ingredients(E: Engine, { n, p, seed }: CodeContext) {
  return {
    n,
    p,
    seed,
    gaussian: (rows: number, cols: number, stream = "A"): Matrix =>
      gaussian(rows, cols, random(seed, `code ${stream}`)),
    symmetric: (size = n, stream = "A"): Matrix => unitSymmetric(size, random(seed, `code ${stream}`)),
    orthonormal: (rows = n, cols = p, stream = "Q"): Matrix =>
      randomOrthonormal(rows, cols, random(seed, `code ${stream}`)),
    tridiagonal: (lower = -1, main = 2, upper = -1, size = n) => constantTridiagonal(E, size, lower, main, upper),
  };
}

/** Names that code may use, for completion and help. */
export const operationNames = (): string[] => [
  "X",
  ...Object.keys(operations),
  ...["n", "p", "seed", "gaussian", "symmetric", "orthonormal", "tridiagonal"],
];

const SOURCE = "visitor://objective";

/** A mistake in the visitor's code, with its place in it. */
export class CodeError extends Error {
  override name = "CodeError";
  constructor(readonly place: CodeMessage) {
    super(place.line > 0 ? `line ${place.line}: ${place.text}` : place.text);
  }
}

function build(names: string[], body: string, source: string): (...values: unknown[]) => tape.Arg {
  return new Function(...names, `"use strict";\n${body}\n//# sourceURL=${source}`) as (
    ...values: unknown[]
  ) => tape.Arg;
}

/** Line and column of the first frame in `source`, as the host counts them. */
function frame(stack: string, source: string): { line: number; column: number } | undefined {
  const found = new RegExp(`${source}:(\\d+):(\\d+)`).exec(stack);
  return found ? { line: Number(found[1]), column: Number(found[2]) } : undefined;
}

/** Lines that the host puts before the first of a body: measured, since browsers differ. */
function linesBefore(): number {
  try {
    build(["a", "b"], "throw new Error()", `${SOURCE}-probe`)();
  } catch (error) {
    return (frame((error as Error).stack ?? "", `${SOURCE}-probe`)?.line ?? 4) - 1;
  }
  return 3;
}

export function compileCode(E: Engine, code: string, context: CodeContext): tape.TapeObjective {
  const scope = { ...operations, ...ingredients(E, context) };
  const skipped = linesBefore();
  let f: ReturnType<typeof build>;
  try {
    f = build(["X", ...Object.keys(scope)], code, SOURCE);
  } catch (error) {
    throw new CodeError({ text: sentence((error as Error).message), line: 0, column: 0 });
  }
  try {
    return compile(E, context, (X) => {
      const value = f(X, ...Object.values(scope));
      if (value === undefined) throw new TypeError("the code returns nothing; end it with `return` and a number");
      return value;
    });
  } catch (error) {
    const { message, stack = "" } = error as Error;
    const place = frame(`${message}\n${stack}`, SOURCE);
    const text = sentence(message.replace(new RegExp(` at ${SOURCE}[:\\d]*`), "").replace(/ at https?:\S+/, ""));
    throw new CodeError({ text, line: Math.max(0, (place?.line ?? 0) - skipped), column: place?.column ?? 0 });
  }
}

const sentence = (text: string): string => text.replace(/^Uncaught /, "").replace(/\.?$/, ".");

/**
 * Relative errors of the derivatives at a seeded feasible X along a seeded D, the best over several steps t:
 *
 *     |φ(t) − φ(−t)|/2t against ⟨∇f, D⟩,   (∇f(X + tD) − ∇f(X − tD))/2t against ∇²f[D].
 */
export function checkDerivatives(
  E: Engine,
  f: tape.TapeObjective,
  { n, p, seed }: CodeContext,
): { value: number; gradient: number; hessian: number } {
  const X = E.from(randomOrthonormal(n, p, random(seed, "check point")));
  const D = E.from(gaussian(n, p, random(seed, "check direction")));
  E.axpby(D, 0, X, 1 / Math.sqrt(E.dot(D, D)));
  const [G, H, Y, Gt, W] = Array.from({ length: 5 }, () => E.matrix(n, p)) as [Matrix, Matrix, Matrix, Matrix, Matrix];
  const value = f.fg(G, X);
  f.hvp(H, X, D);
  const slope = E.dot(G, D);
  const scale = Math.max(Math.abs(slope), 1e-3 * Math.sqrt(E.dot(G, G)), Number.MIN_VALUE);
  const curvature = Math.max(Math.sqrt(E.dot(H, H)), 1e-12 * Math.sqrt(E.dot(G, G)), Number.MIN_VALUE);
  let [gradient, hessian] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const t of [1e-2, 1e-3, 1e-4, 1e-5, 1e-6]) {
    E.combine(Y, 1, X, t, D);
    const up = f.fg(Gt, Y);
    E.combine(Y, 1, X, -t, D);
    const down = f.fg(W, Y);
    gradient = Math.min(gradient, Math.abs((up - down) / (2 * t) - slope) / scale);
    E.axpby(Gt, -1 / (2 * t), W, 1 / (2 * t));
    E.axpby(Gt, -1, H, 1);
    hessian = Math.min(hessian, Math.sqrt(E.dot(Gt, Gt)) / curvature);
  }
  return { value, gradient, hessian };
}
