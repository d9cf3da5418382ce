import type { Engine } from "@expen/linalg";

/** The engine on which K and multipliers are the m numbers of c: each small matrix that a method makes is 1×m. */
export const equationsEngine = (E: Engine, m: number): Engine => ({
  ...E,
  small: (_rows, _cols, numbers) => E.small(1, m, numbers),
});
