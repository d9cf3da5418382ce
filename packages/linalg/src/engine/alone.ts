import type { Engine } from "../contracts/engine.js";
import type { Small, Tall } from "../contracts/matrix.js";

/** The engine with small matrices in place of tall ones, for a problem that every process solves by itself */
export const alone = (E: Engine): Engine => ({ ...E, tall: E.small as unknown as Engine["tall"] });

/** Casts between a small matrix and the tall one that methods on `alone(E)` expect */
export const tallAlone = (S: Small): Tall => S as unknown as Tall;
export const smallAlone = (X: Tall): Small => X as unknown as Small;
