/** The memory of the device, as browsers report it: 0.25, 0.5, 1, … 8 GiB, where 8 means 8 or more, or not at all. */
export interface Available {
  readonly bytes: number;
  /** a sentence with a star in place of the number */
  readonly text: string;
}

export function memoryOfHost(): Available[] {
  const gib = (globalThis.navigator as { deviceMemory?: number } | undefined)?.deviceMemory;
  return gib && gib < 8 ? [{ bytes: gib * 2 ** 30, text: "this device has about *" }] : [];
}
