/**
 * Functions of an exponential and a logarithm, in two passes over a tile with the intermediate results in two tiles of scratch. The shorter
 * the loop, the more numbers are in the reorder window of the processor. The first pass takes two pairs at a time, also at an odd end: that
 * much may be read, and scratch is whole tiles. Arguments as in map-loops.ts.
 */
import { exp } from "./exponential";
import { doubledExp, doubledExpm1, logcoshOf, sigmoidOf, softplusOf, tanhOf } from "./hyperbolic";

/** Bytes of a tile of map.ts */
const TILE_BYTES: usize = 4096;

export function logcoshs(bytes: usize, z: usize, x: usize, dx: usize, between: usize): void {
  doubledExponentials(bytes, between, x, dx);
  for (const end = z + (bytes & ~31); z < end; z += 32, x += 2 * dx, between += 32) {
    const a = logcoshOf(v128.load(between), v128.load(between, TILE_BYTES), v128.load(x));
    const b = logcoshOf(v128.load(between, 16), v128.load(between, TILE_BYTES + 16), v128.load(x + dx));
    v128.store(z, a);
    v128.store(z, b, 16);
  }
  if (bytes & 16) v128.store(z, logcoshOf(v128.load(between), v128.load(between, TILE_BYTES), v128.load(x)));
}
/** z ← log cosh x, y ← tanh x */
export function logcoshTanhs(bytes: usize, z: usize, x: usize, dx: usize, y: usize, between: usize): void {
  doubledExponentials(bytes, between, x, dx);
  for (const end = z + (bytes & ~31); z < end; z += 32, x += 2 * dx, y += 32, between += 32) {
    const a = v128.load(x);
    const b = v128.load(x + dx);
    const E = v128.load(between);
    const F = v128.load(between, 16);
    const a0 = logcoshOf(E, v128.load(between, TILE_BYTES), a);
    const a1 = tanhOf(E, a);
    const b0 = logcoshOf(F, v128.load(between, TILE_BYTES + 16), b);
    const b1 = tanhOf(F, b);
    v128.store(z, a0);
    v128.store(z, b0, 16);
    v128.store(y, a1);
    v128.store(y, b1, 16);
  }
  if (bytes & 16) {
    const a = v128.load(x);
    const E = v128.load(between);
    v128.store(z, logcoshOf(E, v128.load(between, TILE_BYTES), a));
    v128.store(y, tanhOf(E, a));
  }
}
/** z ← e^(−2|x|) − 1, the next tile ← e^(−2|x|); V8 computes the common part of both once */
function doubledExponentials(bytes: usize, z: usize, x: usize, dx: usize): void {
  for (const end = z + bytes; z < end; z += 32, x += 2 * dx) {
    const a = v128.load(x);
    const b = v128.load(x + dx);
    const a0 = doubledExpm1(a);
    const a1 = doubledExp(a);
    const b0 = doubledExpm1(b);
    const b1 = doubledExp(b);
    v128.store(z, a0);
    v128.store(z, b0, 16);
    v128.store(z, a1, TILE_BYTES);
    v128.store(z, b1, TILE_BYTES + 16);
  }
}
export function softpluses(bytes: usize, z: usize, x: usize, dx: usize, between: usize): void {
  decays(bytes, between, x, dx);
  for (const end = z + (bytes & ~31); z < end; z += 32, x += 2 * dx, between += 32) {
    const a = softplusOf(v128.load(between), v128.load(x));
    const b = softplusOf(v128.load(between, 16), v128.load(x + dx));
    v128.store(z, a);
    v128.store(z, b, 16);
  }
  if (bytes & 16) v128.store(z, softplusOf(v128.load(between), v128.load(x)));
}
/** z ← log(1 + eˣ), y ← 1/(1 + e⁻ˣ) */
export function softplusSigmoids(bytes: usize, z: usize, x: usize, dx: usize, y: usize, between: usize): void {
  decays(bytes, between, x, dx);
  for (const end = z + (bytes & ~31); z < end; z += 32, x += 2 * dx, y += 32, between += 32) {
    const a = v128.load(x);
    const b = v128.load(x + dx);
    const t = v128.load(between);
    const u = v128.load(between, 16);
    const a0 = softplusOf(t, a);
    const a1 = sigmoidOf(t, a);
    const b0 = softplusOf(u, b);
    const b1 = sigmoidOf(u, b);
    v128.store(z, a0);
    v128.store(z, b0, 16);
    v128.store(y, a1);
    v128.store(y, b1, 16);
  }
  if (bytes & 16) {
    const a = v128.load(x);
    const t = v128.load(between);
    v128.store(z, softplusOf(t, a));
    v128.store(y, sigmoidOf(t, a));
  }
}
/** z ← e^−|x| */
function decays(bytes: usize, z: usize, x: usize, dx: usize): void {
  for (const end = z + bytes; z < end; z += 32, x += 2 * dx) {
    const a = exp(f64x2.neg(f64x2.abs(v128.load(x))));
    const b = exp(f64x2.neg(f64x2.abs(v128.load(x + dx))));
    v128.store(z, a);
    v128.store(z, b, 16);
  }
}
