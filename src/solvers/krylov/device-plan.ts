/**
 * Krylov spaces on an engine that declares its speeds: costs in seconds. A block of 32 columns takes such an engine hardly longer
 * than one of two, as both read the operator and the basis once and wait as often; it takes more products, but far fewer blocks.
 */
import type { Speeds } from "../../types.js";

export interface DeviceSizes {
  readonly b: number;
  readonly wanted: number;
  readonly panel: number;
}

const BLOCKS = [2, 4, 8, 16, 32];
/** Blocks of b columns take (b/2)^GROWTH times as many in all: 1.5, 2.1, 2.9 times for 8, 16, 32 (GOE, n = 2000, p = 50) */
const GROWTH = 0.4;
/** Blocks beside the wanted vectors that a space has room for */
const ROOM = 20;
/** Calls of a block and of each of its panels, counted; those for a column of an eigenproblem, solved step by step, are presumed. */
const [BLOCK_CALLS, PANEL_CALLS, COLUMN_CALLS] = [40, 3, 2.5];
/** Columns of a panel at least; more, where a panel would be read in less time than a call takes */
const PANEL = 48;
/** Parts of the room of a basis that are filled on average, and kept at a restart */
const [FILLED, KEPT] = [0.75, 0.4];

export function deviceSizes(speeds: Speeds, n: number, p: number, flops: number, products: number): DeviceSizes {
  const choices = BLOCKS.map((block) => sizesOf(speeds, n, p, block)).filter(({ wanted }) => 2 * wanted <= n);
  const cost = (s: DeviceSizes): number =>
    deviceRun(speeds, n, p, flops, { ...s, most: s.wanted }, productsOf(products, s.b));
  return choices.reduce((best, s) => (cost(s) < cost(best) ? s : best), choices[0] ?? sizesOf(speeds, n, p, 2));
}

function sizesOf({ bytes, call }: Speeds, n: number, p: number, block: number): DeviceSizes {
  // whole blocks of wanted vectors, so that a restart keeps nearly all of them
  const b = Math.min(n, p > block ? Math.floor(p / Math.round(p / block)) : block);
  const wanted = Math.max(2.5 * p + 40, p + ROOM * b);
  return { b, wanted, panel: Math.max(PANEL, (call * bytes) / (8 * n)) };
}

/** Columns in blocks of b that do what so many do in blocks of two */
export const productsOf = (products: number, b: number): number => products * (b / 2) ** GROWTH;

/** Seconds for products with so many columns. Ritz values are looked at when a space is full: to find them takes as long as many blocks. */
export function deviceRun(
  speeds: Speeds,
  n: number,
  p: number,
  flops: number,
  { b, most, panel }: { b: number; most: number; panel: number },
  columns: number,
): number {
  const { bytes, call } = speeds;
  const filled = FILLED * most;
  const work = (numbers: number, operations: number): number =>
    Math.max((8 * numbers) / bytes, operations / speeds.flops);
  const calls = BLOCK_CALLS + PANEL_CALLS * Math.ceil(filled / panel);
  // numbers of the operator, with two operations each; the basis is read twice
  const block = calls * call + work(flops / 2 + 3 * n * b, flops * b) + work(2 * n * filled, 4 * n * filled * b);
  const room = (1 - KEPT) * (most - p);
  const restart = COLUMN_CALLS * most * call + work(2 * n * most, 2 * n * most * (most - room));
  return (columns / b) * block + (columns / room) * restart;
}

/** Seconds for all eigenvectors of an n×n matrix */
export const deviceDirect = ({ flops, call }: Speeds, n: number): number =>
  COLUMN_CALLS * n * call + (12 * n ** 3) / flops;
