import { minimize, stiefel } from "@expen/core";
import { GradientError } from "@expen/core/check";
import type { Tall } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { wavy } from "@expen/testing/functions";
import { expect, test } from "vitest";

const E = jsEngine();
const o = { on: stiefel(20, 3), engine: E, certificate: "stationary" } as const;

test("a Hessian that belongs to f is checked by one product and one gradient", async () => {
  for (let seed = 1; seed <= 10; seed++) {
    const { fg, hvp } = wavy(E, 20, 3, seed);
    const [checked, unchecked] = [
      await minimize({ fg, hvp: hvp! }, { ...o, seed }),
      await minimize({ fg }, { ...o, seed }),
    ];
    expect(checked.evaluations.hvp).toBe(1);
    expect(checked.evaluations.grad).toBe(unchecked.evaluations.grad + 1);
  }
});

test.each([
  ["half of it", 0.5, 1],
  ["its negative", -1, 1],
  ["one row left out", 1, 0],
] as const)("%s is refused, with the entry that is furthest off", async (_, factor, first) => {
  for (let seed = 1; seed <= 10; seed++) {
    const { fg, hvp } = wavy(E, 20, 3, seed);
    const wrong = (H: Tall, X: Tall, D: Tall): void => {
      hvp!(H, X, D);
      E.combine(H, factor, H, 0, H);
      for (let j = 0; j < 3; j++) H.data[j]! *= first;
    };
    const found = await minimize({ fg, hvp: wrong }, { ...o, seed }).catch((error: unknown) => error);
    expect(found).toBeInstanceOf(GradientError);
    expect((found as Error).message).toMatch(
      /^the Hessian \(hvp\) does not belong to f: furthest off is entry \(\d+, \d\) of H/,
    );
  }
});
