import type { Scalar } from "./types.js";

/**
 * A Scalar to write to. A class, because plain records with the same names share their layout with every other one in the process, and
 * where one of them holds something else than numbers, V8 makes an object of each number written to any. NaN tells it what is coming.
 */
export class Cell implements Scalar {
  value = Number.NaN;
}
