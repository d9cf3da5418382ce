/**
 * Chains of elementwise operations, tile by tile: all instructions run on one tile, which stays in the L1 cache, before the next, so that
 * inputs are read and outputs are written once. A program is an array of numbers, written by packages/engines/src/wasm/map.ts:
 *
 *     operands, instructions, sum (an operand, or −1), inputs
 *     for each operand   its address, its kind
 *     for each instruction   code, destination, and three operands
 */
import { sum as sumOf } from "./lanes";
import { run } from "./map-loops";

/** Numbers of a tile: 4 KiB, so that the few tiles of a chain fit in the L1 cache. */
const TILE: i32 = 512;
/** Kinds of operands: a tile of scratch (its address is relative to the first), a matrix, a pair of equal numbers. */
const SLOT: i32 = 0;
const MATRIX: i32 = 1;
const CONSTANT: i32 = 2;

/** Offset of two more tiles for intermediate results of an operation, after the 64 tiles of scratch for operands */
const BETWEEN: usize = 64 * 8 * TILE;

/** Bytes of the head of a program, of an operand and of an instruction */
const HEAD: usize = 32;
const OPERAND: usize = 16;
const INSTRUCTION: usize = 40;

@inline
function word(p: usize): i32 {
  return <i32>load<f64>(p);
}

@inline
function address(p: usize): usize {
  return <usize>load<f64>(p);
}

/** Runs the program on numbers first … end − 1 of all matrices; returns the sum. A last odd number is computed in pairs at `single`. */
export function map(first: i32, end: i32, program: usize, slots: usize, single: usize): f64 {
  const total = word(program + 16);
  const even = first + ((end - first) & ~1);
  let s: f64 = 0;
  let lost: f64 = 0;
  for (let i = first; i < end; i += TILE) {
    const count = min(TILE, even - i);
    if (count > 0) {
      tile(program, i, count, slots, 0);
      if (total >= 0) {
        const t = tileSum(place(program, total, i, slots, 0), count, step(program, total));
        // compensated summation [Neumaier 1974]
        const next = s + t;
        lost += abs(s) >= abs(t) ? s - next + t : t - next + s;
        s = next;
      }
    }
  }
  if (even < end) {
    spread(program, even, single);
    tile(program, even, 2, slots, single);
    gather(program, even, single);
    if (total >= 0) s += load<f64>(place(program, total, even, slots, single));
  }
  // without the correction if the sum is not finite
  return lost - lost == 0 ? s + lost : s;
}

/** The address of operand k in the tile at number i */
@inline
function place(program: usize, k: i32, i: i32, slots: usize, single: usize): usize {
  const p = program + HEAD + <usize>k * OPERAND;
  const kind = word(p + 8);
  const at = address(p);
  if (kind == SLOT) return slots + at;
  if (kind == CONSTANT) return at;
  return single ? single + <usize>k * 16 : at + (<usize>i << 3);
}

/** Bytes from a pair of an operand to the next */
@inline
function step(program: usize, k: i32): usize {
  return word(program + HEAD + <usize>k * OPERAND + 8) == CONSTANT ? 0 : 16;
}

function tile(program: usize, i: i32, count: i32, slots: usize, single: usize): void {
  const bytes = (<usize>count) << 3;
  let p = program + HEAD + <usize>word(program) * OPERAND;
  for (const end = p + <usize>word(program + 8) * INSTRUCTION; p < end; p += INSTRUCTION) {
    const x = word(p + 16);
    const y = word(p + 24);
    const w = word(p + 32);
    run(
      word(p),
      bytes,
      place(program, word(p + 8), i, slots, single),
      place(program, x, i, slots, single),
      step(program, x),
      place(program, y, i, slots, single),
      step(program, y),
      place(program, w, i, slots, single),
      step(program, w),
      slots + BETWEEN,
    );
  }
}

/** Copies number i of every input twice to its pair */
function spread(program: usize, i: i32, single: usize): void {
  for (let k = 0, inputs = word(program + 24); k < inputs; k++) {
    const x = v128.load64_splat(address(program + HEAD + <usize>k * OPERAND) + (<usize>i << 3));
    v128.store(single + <usize>k * 16, x);
  }
}

/** Copies number i of every output from its pair */
function gather(program: usize, i: i32, single: usize): void {
  for (let k = word(program + 24), operands = word(program); k < operands; k++) {
    const p = program + HEAD + <usize>k * OPERAND;
    if (word(p + 8) == MATRIX) store<f64>(address(p) + (<usize>i << 3), load<f64>(single + <usize>k * 16));
  }
}

/** Eight partial sums; `count` even */
function tileSum(x: usize, count: i32, dx: usize): f64 {
  let s0 = f64x2.splat(0);
  let s1 = f64x2.splat(0);
  let s2 = f64x2.splat(0);
  let s3 = f64x2.splat(0);
  for (; count >= 8; count -= 8) {
    s0 = f64x2.add(s0, v128.load(x));
    s1 = f64x2.add(s1, v128.load(x + dx));
    s2 = f64x2.add(s2, v128.load(x + 2 * dx));
    s3 = f64x2.add(s3, v128.load(x + 3 * dx));
    x += 4 * dx;
  }
  for (; count > 0; count -= 2) {
    s0 = f64x2.add(s0, v128.load(x));
    x += dx;
  }
  return sumOf(f64x2.add(f64x2.add(s0, s1), f64x2.add(s2, s3)));
}
