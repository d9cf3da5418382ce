/** What a user's file may give, and the sentences where it cannot be used. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Manifold, Objective, View } from "@expen/core";
import { stiefel } from "@expen/core";
import type { Tall } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { scratch } from "@expen/testing/cli/run-cli";
import { expect, test } from "vitest";
import { guarded } from "../../src/cli/guarded.js";
import { InputError } from "../../src/cli/input-error.js";
import { callUserFile, loadUserFile, type UserProblem } from "../../src/cli/user-file.js";

const folder = scratch();
mkdirSync(join(folder, "folder.mjs"));
const E = jsEngine();
const [n, p] = [4, 2];

async function opened(name: string, text?: string): Promise<UserProblem> {
  const path = join(folder, name);
  if (text !== undefined) writeFileSync(path, text);
  const on = stiefel(n, p) as Manifold<View>;
  const { factory } = await loadUserFile(path);
  return callUserFile(path, factory, { n, p, seed: 1, engine: E, on }, on.bind(E));
}

test.each([
  ["folder.mjs", undefined, /: it is a folder, or no regular file\.$/],
  ["class.mjs", "export default class {}", /: the default export is a class; export a function/],
  ["list.mjs", "export default () => [1];", /: the default export returns an array; it must return/],
  ["nothing.mjs", "export default () => {};", /: the default export returns undefined; it must return/],
  ["text.mjs", "export default () => { throw 'no luck'; };", /: the default export throws: no luck/],
  [
    "tape.mjs",
    "export default () => ({ tape: (X) => X });",
    /: objective: it has tape; write formula\(\(X\) => …\) of 'expen\/tape'/,
  ],
  [
    "optimum.mjs",
    "export default () => ({ fg: () => 1, optimum: NaN });",
    /: optimum is NaN; it must be a finite number/,
  ],
  [
    "convex.mjs",
    "export default () => ({ fg: () => 1, convex: 'yes' });",
    /: convex is the string 'yes'; it must be true/,
  ],
  [
    "linearize.mjs",
    "export default () => ({ fg: () => 1, linearize: 5 });",
    /: linearize is of type number; it must be/,
  ],
  [
    "start.mjs",
    "export default () => ({ fg: () => 1, start: { rows: 4, cols: 2, data: [1] } });",
    /: start: 4×2 need 8 numbers, there are 1/,
  ],
])("%s", async (name, text, sentence) => {
  const refused = await opened(name, text).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(InputError);
  expect((refused as Error).message).toMatch(sentence);
});

test("what is declared of a formula is kept, and what is known of the problem", async () => {
  const text = `import { formula, square, sum } from "expen/tape";
const quadratic = { apply: (Y, X) => Y.data.set(X.data.map((x) => 2 * x)) };
export default () => ({ objective: formula((X) => sum(square(X)), { convex: true, quadratic }), optimum: 2 });`;
  const { objective, optimum } = await opened("formula.mjs", text);
  expect(optimum).toBe(2);
  expect(objective.convex).toBe(true);
  expect(objective.quadratic).toBeDefined();
});

test("an exception of any function becomes NaN, is kept and reported", () => {
  const fail = (): never => {
    throw new Error("no data");
  };
  const f: Objective = { n, p, f: fail, fg: fail, hvp: fail, linearize: fail, quadratic: { apply: fail } };
  const Y = E.tall(n, p);
  const calls: ((g: Objective) => number)[] = [
    (g) => g.f(Y),
    (g) => g.fg(Y, Y),
    (g) => written((H) => g.hvp!(H, Y, Y)),
    (g) => written((H) => g.linearize!(Y)(H, Y)),
    (g) => written((H) => g.quadratic!.apply(H, Y)),
  ];
  for (const call of calls) {
    let ended = 0;
    const guard = guarded(E, f, () => ended++);
    expect(call(guard.objective)).toBeNaN();
    expect([ended, guard.thrown()?.message, guard.worked()]).toEqual([1, "no data", false]);
  }
  const text = guarded(E, { ...f, f: () => "1" as unknown as number }, () => {});
  expect(text.objective.f(Y)).toBeNaN();
  expect(text.thrown()?.message).toBe("f returns the string '1'; it must return a number.");
});

/** The last number that `work` writes */
function written(work: (H: Tall) => void): number {
  const H = E.tall(n, p);
  work(H);
  return H.data.at(-1)!;
}
