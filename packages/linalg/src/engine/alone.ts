import type { Engine } from "../contracts/engine.js";
import type { Small, Tall } from "../contracts/matrix.js";

/** The same engine for a problem that every process solves by itself: what would be tall is small. */
export const alone = (E: Engine): Engine => ({ ...E, tall: E.small as unknown as Engine["tall"] });

/** A small matrix as methods on `alone(E)` see it, and back: the types alone change. */
export const tallAlone = (S: Small): Tall => S as unknown as Tall;
export const smallAlone = (X: Tall): Small => X as unknown as Small;
