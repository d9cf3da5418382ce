/** The checks of a user's f on engines whose numbers cannot be read in place. */

import type { Engine, Tall } from "@expen/linalg";
import { EngineError, random } from "@expen/linalg";
import { chain, jsEngine } from "@expen/linalg/engine";
import { opaque } from "@expen/testing/engines/opaque";
import { split } from "@expen/testing/engines/split";
import { describe, expect, test } from "vitest";
import { GradientError, requireGradient } from "../src/check/before-run.js";
import { ContractError } from "../src/check/contract-error.js";
import { checkDerivatives, quickCheck } from "../src/check/derivatives.js";
import { FormError, requireForms } from "../src/check/forms.js";
import type { Objective } from "../src/contracts/objective.js";
import { randomStart } from "../src/run/start.js";

const [n, p] = [23, 3];
const logCosh = chain(1, ({ tanh, logcosh }, x) => ({ outputs: [tanh(x)], sum: logcosh(x) }));
const slopeOfTanh = chain(2, ({ tanh, square, sub, mul }, x, d) => ({ outputs: [mul(sub(1, square(tanh(x))), d)] }));

/** f = ½⟨X, BX⟩ + Σ log cosh X_ij, B diagonal, with its Hessian; `spoil` changes the gradient afterwards. */
function smooth(E: Engine, spoil: (G: Tall, X: Tall) => void = () => {}): Objective {
  const data = new Float64Array(n * n);
  for (let i = 0; i < n; i++) data[i * (n + 1)] = 1 + i / n;
  const B = E.operator({ rows: n, cols: n, data });
  const [V, T] = [E.tall(n, p), E.tall(n, p)];
  const fg = (G: Tall, X: Tall): number => {
    B.apply(G, X);
    const value = 0.5 * E.dot(X, G) + E.map([T], logCosh, [X]);
    E.combine(G, 1, G, 1, T);
    spoil(G, X);
    return value;
  };
  const hvp = (H: Tall, X: Tall, D: Tall): void => {
    B.apply(H, D);
    E.map([T], slopeOfTanh, [X, D]);
    E.combine(H, 1, H, 1, T);
  };
  return { n, p, f: (X) => fg(V, X), fg, hvp };
}

describe.each([
  ["opaque", () => opaque(jsEngine())],
  ["split", () => split(jsEngine())],
] as const)("%s", (_name, open) => {
  const E: Engine = open();
  const X = randomStart(E, n, p, 1);
  /** entry k of A plus `by` */
  const add = (A: Tall, k: number, by: number): void => {
    const a = E.read(A);
    a[k]! += by;
    E.write(A, a);
  };

  test("a right gradient and Hessian pass", () => {
    expect(quickCheck(E, smooth(E), X)).toMatchObject({ passed: true });
    expect(checkDerivatives(E, smooth(E))).toMatchObject({ passed: true, hasHessian: true });
  });

  test("a wrong entry is found and named", () => {
    const f = smooth(E, (G) => add(G, 17, 0.05));
    expect(() => requireGradient(E, f, X, 1)).toThrow(GradientError);
    expect(() => requireGradient(E, f, X, 1)).toThrow(/entry \(5, 2\)/);
    const { suspect } = checkDerivatives(E, f);
    expect(suspect).toMatchObject({ of: "gradient", row: 5, column: 2 });
    expect(suspect!.given - suspect!.expected).toBeCloseTo(0.05, 6);
  });

  test("one of many entries is found by halving, with its value as it is", () => {
    const [rows, cols] = [1100, 3];
    const A = E.tall(rows, cols);
    E.write(A, random(1, "linear").normal);
    const f: Objective = {
      n: rows,
      p: cols,
      f: (X) => E.dot(A, X),
      fg(G, X) {
        E.copy(G, A);
        add(G, 2000, 0.1);
        return E.dot(A, X);
      },
    };
    const right = E.read(A)[2000]!;
    try {
      requireGradient(E, f, randomStart(E, rows, cols, 2), 1);
      expect.unreachable();
    } catch (error) {
      const { suspect } = error as GradientError;
      expect(suspect).toMatchObject({ row: 666, column: 2, given: right + 0.1 });
      expect(suspect.expected).toBeCloseTo(right, 8);
    }
  });

  test("a wrong Hessian and mistakes with a name are found", () => {
    const f = smooth(E);
    const wrong: Objective = {
      ...f,
      hvp(H, X, D) {
        f.hvp!(H, X, D);
        E.combine(H, 1, H, 0.1, D);
      },
    };
    expect(checkDerivatives(E, wrong)).toMatchObject({ passed: false, suspect: { of: "hessian" } });
    const half = smooth(E, (G) => E.combine(G, 0.5, G, 0, G));
    expect(checkDerivatives(E, half)).toMatchObject({ passed: false, mistake: "factor" });
  });

  test("who changes X, writes nothing or adds is told so", () => {
    const moved = smooth(E, (_G, X) => add(X, 4, 1e-9));
    expect(() => quickCheck(E, moved, randomStart(E, n, p, 1))).toThrow(ContractError);
    expect(() => quickCheck(E, moved, randomStart(E, n, p, 1))).toThrow(/changes its input X \(entry \(1, 1\)\)/);
    expect(checkDerivatives(E, moved)).toMatchObject({ passed: false, mistake: "side-effect" });
    expect(() => quickCheck(E, { n, p, f: () => 1, fg: () => 1 }, X)).toThrow(/writes nothing into G/);
    const f = smooth(E);
    const adding: Objective = {
      ...f,
      fg(G, X) {
        const V = E.tall(n, p);
        const value = f.fg(V, X);
        E.combine(G, 1, G, 1, V);
        return value;
      },
    };
    expect(() => quickCheck(E, adding, X)).toThrow(/depends on what G held before/);
    expect(checkDerivatives(E, adding)).toMatchObject({ mistake: "adds" });
  });

  test("what is not finite is said with its entry", () => {
    const f = smooth(E, (G) => add(G, 7, Number.POSITIVE_INFINITY));
    expect(quickCheck(E, f, X).text).toMatch(/entry \(2, 1\) is Infinity at the start/);
  });

  test("a form that does not belong to f is refused", () => {
    const f = smooth(E);
    const declared = { ...f, quadratic: { apply: (Y: Tall, Z: Tall) => E.copy(Y, Z) } };
    expect(() => requireForms(E, declared, X)).toThrow(FormError);
  });

  test("an f with loops over the numbers is told what to do", () => {
    const loops: Objective = { n, p, f: (X) => X.data[0]!, fg: (_G, X) => X.data[0]! };
    expect(() => quickCheck(E, loops, X)).toThrow(EngineError);
    expect(() => quickCheck(E, loops, X)).toThrow(/copy it with read\(\), or use engine operations/);
  });
});

test("a check that passes reads no tall matrix and writes one, of random numbers", () => {
  const E = opaque(jsEngine());
  const [f, X] = [smooth(E), randomStart(E, n, p, 1)];
  const { tall } = E.crossings;
  quickCheck(E, f, X);
  expect(E.crossings.tall - tall).toBe(n * p);
});
