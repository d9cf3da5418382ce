/** The memory of the device, as a browser gives it: 0.25, 0.5, 1, … 8 GiB, and 8 for all that have more, or nothing. */
export interface Available {
  readonly bytes: number;
  /** with a star where the number belongs */
  readonly text: string;
}

export function memoryOfHost(): Available[] {
  const gib = (globalThis.navigator as { deviceMemory?: number } | undefined)?.deviceMemory;
  return gib && gib < 8 ? [{ bytes: gib * 2 ** 30, text: "this device has about *" }] : [];
}
