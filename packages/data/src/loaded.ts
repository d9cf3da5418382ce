import type { Loaded, Matrix } from "@expen/linalg";
import { requireMemoryFor } from "@expen/linalg/memory";

export { DataError, type Loaded } from "@expen/linalg";

/** The parts of a complex matrix */
export interface ComplexPair {
  readonly re: Matrix;
  readonly im: Matrix;
}

/** A reader of text in pieces of any length, so that files need not fit into one string */
export interface TextReader<M> {
  push(text: string): void;
  end(): Loaded<M>;
}

/** Calls `onLine` with each line, without its line break (any of \n, \r\n, \r), and its number from 1. */
export function lines(onLine: (line: string, number: number) => void): { push(text: string): void; end(): void } {
  let rest = "";
  let number = 0;
  let heldReturn = "";
  const emit = (line: string): void => {
    number++;
    const text = number === 1 && line.startsWith("\ufeff") ? line.slice(1) : line;
    onLine(text, number);
  };
  return {
    push(piece) {
      let text = heldReturn + piece;
      // a line feed may follow in the next piece
      heldReturn = text.endsWith("\r") ? "\r" : "";
      if (heldReturn) text = text.slice(0, -1);
      if (text.includes("\r")) text = text.replace(/\r\n?/g, "\n");
      let start = 0;
      for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
        emit(rest + text.slice(start, end));
        rest = "";
        start = end + 1;
      }
      rest += text.slice(start);
    },
    end() {
      if (rest !== "") emit(rest);
      rest = "";
    },
  };
}

/** A list of numbers that grows by blocks, without copies */
export function numberList(blockSize: number = 1 << 20): {
  readonly length: number;
  push(v: number): void;
  take(): Float64Array;
} {
  const full: Float64Array[] = [];
  let block = new Float64Array(1024);
  let used = 0;
  let before = 0;
  return {
    get length() {
      return before + used;
    },
    push(v) {
      if (used === block.length) {
        full.push(block);
        before += used;
        // at the end the blocks and the complete array are in memory together
        requireMemoryFor(before + blockSize, 1, 2);
        block = new Float64Array(Math.min(blockSize, before));
        used = 0;
      }
      block[used++] = v;
    },
    take() {
      const all = new Float64Array(before + used);
      let at = 0;
      for (const b of full) {
        all.set(b, at);
        at += b.length;
      }
      all.set(block.subarray(0, used), at);
      return all;
    },
  };
}

/** nan, inf and infinity with a sign, in any case, as C and Python write them; undefined for every other text */
export function notFinite(text: string): number | undefined {
  const word = /^([-+]?)(nan|inf|infinity)$/i.exec(text.trim());
  if (!word) return undefined;
  if (word[2]!.toLowerCase() === "nan") return Number.NaN;
  return word[1] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}
