/** Constraints beside the manifold as they are written on the command line */
import { bounds, nonnegative, type Subject, type SubjectOptions } from "@expen/core";
import type { Command } from "commander";
import { InputError } from "./input-error.js";
import { integer, notNegative } from "./option-values.js";

/** The values as commander keeps them */
export interface ConstraintFlags {
  nonnegative?: boolean;
  bounds?: readonly [number, number];
  constraintTol?: number;
  starts?: number;
}

export function addConstraintOptions(command: Command): Command {
  return command
    .option("--nonnegative", "X ≥ 0 in every entry; with orthonormal columns exactly")
    .option("--bounds <lower,upper>", "bounds of every entry of X, as -0.2,0.5 or 0,inf", limitsOf)
    .option(
      "--constraint-tol <number>",
      "largest violation of constraints beside the manifold (default: 1e-6)",
      notNegative("constraint-tol"),
    )
    .option(
      "--starts <count>",
      "starts, of which the best counts, with constraints beside the manifold",
      integer("starts", 1),
    );
}

/** "-0.2,0.5", "0,inf" */
function limitsOf(text: string): readonly [number, number] {
  const numbers = text.split(",").map((part) => numberOf(part.trim()));
  const [lower, upper, ...more] = numbers;
  if (lower === undefined || upper === undefined || more.length > 0 || numbers.some(Number.isNaN)) {
    throw new InputError(`--bounds is '${text}'; write two numbers, as -0.2,0.5 or 0,inf.`);
  }
  if (!(lower <= upper)) throw new InputError(`--bounds is '${text}'; the lower bound is above the upper one.`);
  return [lower, upper];
}

function numberOf(text: string): number {
  const infinite = /^([+-]?)inf(inity)?$/i.exec(text);
  if (infinite) return infinite[1] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return text === "" ? Number.NaN : Number(text);
}

/** The options of the library; `own`: the constraints of the user's file */
export function constraintsOf(flags: ConstraintFlags, own: readonly Subject[] = []): SubjectOptions {
  const subjectTo = [
    ...own,
    ...(flags.nonnegative ? [nonnegative()] : []),
    ...(flags.bounds ? [bounds(...flags.bounds)] : []),
  ];
  return {
    ...(subjectTo.length > 0 && { subjectTo }),
    ...(flags.constraintTol !== undefined && { constraintTolerance: flags.constraintTol }),
    ...(flags.starts !== undefined && { starts: flags.starts }),
  };
}
