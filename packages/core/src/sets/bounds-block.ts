import type { Chain, Engine, Matrix, Tall } from "@expen/linalg";
import { chain } from "@expen/linalg/engine";
import type { Domain, View } from "../contracts/manifold.js";
import { leaves } from "../manifolds/view.js";
import type { Block } from "./block.js";
import { limitsOf } from "./limits.js";
import type { BoundsSubject } from "./subject.js";

/** a = max(0, Θ + ±(x − limit)) and V = a − Θ, with the sum of a² − Θ² */
const side = (sign: 1 | -1): Chain =>
  chain(3, ({ max, add, sub, square }, x, limit, theta) => {
    const a = max(0, add(theta, sign > 0 ? sub(x, limit) : sub(limit, x)));
    return { outputs: [a, sub(a, theta)], sum: sub(square(a), square(theta)) };
  });
const [below, above] = [side(-1), side(1)];

/** One side of the bounds of one matrix */
interface Side {
  readonly name: string;
  readonly formula: Chain;
  /** ∂g/∂X */
  readonly sign: 1 | -1;
  readonly limit: Tall;
  readonly theta: Tall;
  readonly V: Tall;
  readonly a: Tall;
}

/** lower ≤ X ≤ upper as X − upper ≤ 0 and lower − X ≤ 0, of which a side without finite numbers is left out */
export function boundsBlock(domain: Domain<View>, subject: BoundsSubject): Block {
  const { base, E: algebra, on, view } = domain;
  const { kind, text, lower, upper, part, columns } = subject;
  const matricesOf = (X: Tall) => leaves(view(X)).filter(({ name }) => isPart(name, part));
  const matrices = matricesOf(algebra.tall(on.shape.n, on.shape.p));
  if (matrices.length === 0) {
    const names = leaves(view(algebra.tall(on.shape.n, on.shape.p))).map(({ name }) => name);
    throw new RangeError(
      `${kind}: part is '${part}'; the parts of ${on.name} are ${names.join(", ") || "one matrix"}.`,
    );
  }
  if (matrices.some(({ name }) => /(^|\.)(re|im)$/.test(name))) {
    throw new RangeError(
      `${kind}: X is complex, and complex numbers have no order; bound a formula of re and im by atMost.`,
    );
  }
  const sides = matrices.flatMap(({ name, matrix: { rows, cols } }): Side[] => {
    const [l, u] = [lower, upper].map((limit, k) =>
      limitsOf(kind, limit, rows, cols, columns, k === 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY),
    ) as [Float64Array, Float64Array];
    const crossed = l.findIndex((x, i) => !(x <= u[i]!));
    if (crossed >= 0) {
      const at = `(${Math.floor(crossed / cols)}, ${crossed % cols})${name && ` of ${name}`}`;
      throw new RangeError(
        `${kind}: the lower bound ${l[crossed]} is above the upper bound ${u[crossed]} in entry ${at}.`,
      );
    }
    const make = (limit: Float64Array, formula: Chain, sign: 1 | -1): Side[] =>
      limit.some(Number.isFinite)
        ? [{ name, formula, sign, limit: base.tall(rows, cols, limit), ...three(base, rows, cols) }]
        : [];
    return [...make(l, below, -1), ...make(u, above, 1)];
  });
  return {
    text,
    kind: "atMost",
    E: base,
    shifts: sides.map(({ theta }) => theta),
    changes: sides.map(({ V }) => V),
    add(G, X, rho) {
      let sum = 0;
      const [xs, gs] = [new Map(byName(matricesOf(X))), new Map(byName(matricesOf(G)))];
      for (const { name, formula, sign, limit, theta, V, a } of sides) {
        sum += base.map([a, V], formula, [xs.get(name)!, limit, theta]);
        const g = gs.get(name)!;
        base.combine(g, 1, g, sign * rho, a);
      }
      return 0.5 * rho * sum;
    },
    along(D) {
      const ds = new Map(byName(matricesOf(D)));
      return sides.map(({ name, sign }) => base.read(ds.get(name)!).map((d) => sign * d));
    },
    multipliers(rho) {
      const rows = matrices.map(({ name, matrix }) => {
        const values = new Float64Array(matrix.rows * matrix.cols);
        const own = sides.filter((one) => one.name === name);
        const lists = own.map(({ theta, V, sign }) => ({ theta: base.read(theta), V: base.read(V), sign }));
        // with rows on several processes each has its own
        const length = lists[0]?.V.length ?? values.length;
        for (const { theta, V, sign } of lists)
          for (const [i, v] of V.entries()) values[i]! += sign * rho * (theta[i]! + v);
        return values.subarray(0, length);
      });
      return Float64Array.from(rows.flatMap((list) => [...list]));
    },
  };
}

const byName = (list: readonly { name: string; matrix: Matrix }[]): [string, Tall][] =>
  list.map(({ name, matrix }) => [name, matrix as Tall]);

const isPart = (name: string, part: string | undefined): boolean =>
  part === undefined || name === part || name.startsWith(`${part}.`);

const three = (E: Engine, rows: number, cols: number) => ({
  theta: E.tall(rows, cols),
  V: E.tall(rows, cols),
  a: E.tall(rows, cols),
});
