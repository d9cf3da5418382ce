/** Browsers have no call of the garbage collector. */
export function collectGarbage(): void {}
