/** The visitor's objective: a function body over the tape's operations, compiled, and its mistakes with their lines. */
import { constantTridiagonal, type Engine, type Manifold, type Matrix, type Objective, random } from "expen";
import { objectiveOn } from "expen/methods";
import { gaussian, randomOrthonormal, unitSymmetric } from "expen/problems";
import * as tape from "expen/tape";
import { STIEFEL } from "../places.js";
import type { CodeMessage } from "../protocol.js";
import { manifoldOf } from "./place.js";

const { compile: _compile, formula, TapeError, ...operations } = tape;

export interface CodeContext {
  n: number;
  p: number;
  seed: number;
  /** where X lives; absent: orthonormal columns */
  on?: string;
}

/** Seeded data for formulas; each name of a stream gives other numbers. */
function ingredients({ n, p, seed }: CodeContext) {
  return {
    n,
    p,
    seed,
    gaussian: (rows: number, cols: number, stream = "A"): Matrix =>
      gaussian(rows, cols, random(seed, `code ${stream}`)),
    symmetric: (size = n, stream = "A"): Matrix => unitSymmetric(size, random(seed, `code ${stream}`)),
    orthonormal: (rows = n, cols = p, stream = "Q"): Matrix =>
      randomOrthonormal(rows, cols, random(seed, `code ${stream}`)),
    tridiagonal: (lower = -1, main = 2, upper = -1, size = n) => constantTridiagonal(size, lower, main, upper),
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
  const match = new RegExp(`${source}:(\\d+):(\\d+)`).exec(stack);
  return match ? { line: Number(match[1]), column: Number(match[2]) } : undefined;
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

/** The code as an objective, and the manifold on E that it is one on */
export function compileCode(
  E: Engine,
  code: string,
  context: CodeContext,
): { bound: ReturnType<Manifold["bind"]>; objective: Objective } {
  const bound = manifoldOf(context.on ?? STIEFEL, context.n, context.p).bind(E);
  const scope = { ...operations, ...ingredients(context) };
  const skipped = linesBefore();
  let f: ReturnType<typeof build>;
  try {
    f = build(["X", ...Object.keys(scope)], code, SOURCE);
  } catch (error) {
    throw new CodeError({ text: sentence((error as Error).message), line: 0, column: 0 });
  }
  try {
    const objective = formula((X) => {
      const value = f(X, ...Object.values(scope));
      if (value === undefined) throw new TypeError("the code returns nothing; end it with `return` and a number");
      return value;
    });
    return { bound, objective: objectiveOn(bound, objective) };
  } catch (error) {
    const { message, stack = "" } = error as Error;
    const place = frame(`${message}\n${stack}`, SOURCE);
    const text = sentence(message.replace(new RegExp(` at ${SOURCE}[:\\d]*`), "").replace(/ at https?:\S+/, ""));
    throw new CodeError({ text, line: Math.max(0, (place?.line ?? 0) - skipped), column: place?.column ?? 0 });
  }
}

const sentence = (text: string): string => text.replace(/^Uncaught /, "").replace(/\.?$/, ".");
