import type { Engine } from "@expen/linalg";
import type { Objective } from "../contracts/objective.js";

/** An objective as plain functions of one array, for any unconstrained optimizer. */
export interface FlatObjective {
  /** n·p */
  readonly size: number;
  f(x: ArrayLike<number>): number;
  /** writes ∇f(x) into g and returns f(x) */
  fg(g: Float64Array | number[], x: ArrayLike<number>): number;
  /** ∇f(x) as a new array */
  grad(x: ArrayLike<number>): Float64Array;
  /** H ← ∇²f(x)[d], where the objective has it */
  hvp?(h: Float64Array | number[], x: ArrayLike<number>, d: ArrayLike<number>): void;
}

/** x is X row by row. With `expen(E, f, β)` every unconstrained optimizer becomes one for the Stiefel manifold. */
export function flatten(E: Engine, f: Objective): FlatObjective {
  const { n, p, hvp } = f;
  const size = n * p;
  const [X, G] = [E.tall(n, p), E.tall(n, p)];
  const load = (M: typeof X, x: ArrayLike<number>): typeof X => {
    if (x.length !== size)
      throw new RangeError(`flatten: the point has ${x.length} numbers but n·p = ${n}·${p} = ${size}.`);
    E.write(M, x);
    return M;
  };
  const numbers = new Float64Array(size);
  const unload = (g: Float64Array | number[], M: typeof X): void => {
    E.read(M, numbers);
    for (let i = 0; i < size; i++) g[i] = numbers[i]!;
  };
  const fg: FlatObjective["fg"] = (g, x) => {
    const value = f.fg(G, load(X, x));
    unload(g, G);
    return value;
  };
  let direction: typeof X | undefined;
  return {
    size,
    f: (x) => f.f(load(X, x)),
    fg,
    grad(x) {
      const g = new Float64Array(size);
      fg(g, x);
      return g;
    },
    hvp:
      hvp &&
      ((h, x, d) => {
        direction ??= E.tall(n, p);
        hvp(G, load(X, x), load(direction, d));
        unload(h, G);
      }),
  };
}
