/** A number that is computed at its first use, from ⟨y, y⟩ of the newest pair if that is known there */
export interface LazyNumber {
  readonly isPending: boolean;
  value(yy?: number): number;
}

export function lazyNumber(first: number): LazyNumber & { set(by: number | ((yy?: number) => number)): void } {
  let value = first;
  let compute: ((yy?: number) => number) | undefined;
  return {
    get isPending() {
      return compute !== undefined;
    },
    value(yy) {
      if (compute) value = compute(yy);
      compute = undefined;
      return value;
    },
    set(by) {
      if (typeof by === "number") [value, compute] = [by, undefined];
      else compute = by;
    },
  };
}
