/** A page cannot call the garbage collector. */
export function collectGarbage(): void {}
