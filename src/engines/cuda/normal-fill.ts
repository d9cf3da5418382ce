/** The first `size` numbers at an address ← what `next` would give; false where it is no generator that the device can follow. */
export type NormalFill = (at: number, size: number, next: () => number) => boolean;

export const noFill: NormalFill = () => false;
