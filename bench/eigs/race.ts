/** The contenders of a case in turns, and the line of each in the table. */
import { digits, type Matrix } from "@expen/linalg";
import { collectGarbage } from "../garbage.js";
import { secondsText } from "../tables.js";
import type { Judged } from "./judge.js";
import type { Answer } from "./ours.js";

export interface Lane {
  readonly name: string;
  /** an answer, or the reason of a failure; undefined where the contender has nothing for the case */
  run(): Promise<Answer | string | undefined>;
}

export interface Result {
  readonly name: string;
  readonly answer: Answer | string;
}

/** Seconds of a run, and of all runs, below which it is repeated, and runs at most: the first are slow, while V8 compiles */
const [SHORT, ENOUGH, MOST] = [1, 3, 40];

/** The fastest answer of each */
export async function race(lanes: readonly Lane[]): Promise<Result[]> {
  const results = new Map<Lane, Answer | string>();
  const spent = new Map<Lane, number>();
  for (let round = 0; round < MOST; round++) {
    for (const lane of lanes) {
      const before = results.get(lane);
      if (round > 0 && !(typeof before === "object" && before.seconds < SHORT && spent.get(lane)! < ENOUGH)) continue;
      await collectGarbage();
      const answer = await lane.run().catch((error: Error) => error.message);
      if (answer === undefined) continue;
      if (typeof answer === "object") spent.set(lane, (spent.get(lane) ?? 0) + answer.seconds);
      if (typeof before !== "object" || (typeof answer === "object" && answer.seconds < before.seconds))
        results.set(lane, answer);
    }
  }
  return Array.from(results, ([{ name }, answer]) => ({ name, answer }));
}

/** Seconds, products, solves, residual, and what is shown or what is wrong; `slack`: the error of the wanted values */
export function lineOf(
  { name, answer }: Result,
  judge: (X: Matrix) => Judged,
  wanted: Float64Array,
  slack: number,
): string[] {
  if (typeof answer === "string") return [name, "–", "–", "–", "–", answer];
  const { seconds, products, solves, X, proof } = answer;
  const { residual, flaw } = judge(X);
  const count = (v: number | undefined): string => (v ? String(v) : "–");
  const isTrue = proof?.values.every(
    (v, j) => Math.abs(v - wanted[j]!) <= (proof.bounds[j] ?? Number.POSITIVE_INFINITY) + slack,
  );
  const shown = proof ? `${proof.level}${isTrue ? "" : ", FALSE"}` : "";
  return [name, secondsText(seconds, 4), count(products), count(solves), digits(residual, 2), flaw ?? shown];
}
