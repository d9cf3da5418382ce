/** One operation on a tile. Its code is its place in `arities` of packages/linalg/src/contracts/elementwise.ts. */
import {
  ABS, ADD, COPY, DIV, LESS, MAX, MIN, MUL, NEG, RECIPROCAL, ROOT, SIGN, SQUARE, SUB, binary, muladds, unary,
} from "./arithmetic-loops";
import { exp, expm1 } from "./exponential";
import { sigmoid, tanh } from "./hyperbolic";
import { areNormal, log1p, logAnywhere, logNormal } from "./logarithm";
import { pow } from "./power";
import { atan, cos, sin } from "./trigonometric";
import { logcoshTanhs, logcoshs, softplusSigmoids, softpluses } from "./two-passes";

// z ← op(x, y, w) for `bytes` of pairs; dx, dy, dw: bytes from a pair to the next, 0 for a constant. z may be x, y or w.
// Each operation is a function, so that the optimizing compiler keeps the constants of one in registers, not of all.

function copies(bytes: usize, z: usize, x: usize, dx: usize): void {
  unary(COPY, bytes, z, x, dx);
}
function negs(bytes: usize, z: usize, x: usize, dx: usize): void {
  unary(NEG, bytes, z, x, dx);
}
function absolutes(bytes: usize, z: usize, x: usize, dx: usize): void {
  unary(ABS, bytes, z, x, dx);
}
function signs(bytes: usize, z: usize, x: usize, dx: usize): void {
  unary(SIGN, bytes, z, x, dx);
}
function squares(bytes: usize, z: usize, x: usize, dx: usize): void {
  unary(SQUARE, bytes, z, x, dx);
}
function reciprocals(bytes: usize, z: usize, x: usize, dx: usize): void {
  unary(RECIPROCAL, bytes, z, x, dx);
}
function roots(bytes: usize, z: usize, x: usize, dx: usize): void {
  unary(ROOT, bytes, z, x, dx);
}
function exps(bytes: usize, z: usize, x: usize, dx: usize): void {
  for (const end = z + (bytes & ~31); z < end; z += 32, x += 2 * dx) {
    const a = exp(v128.load(x));
    const b = exp(v128.load(x + dx));
    v128.store(z, a);
    v128.store(z, b, 16);
  }
  if (bytes & 16) v128.store(z, exp(v128.load(x)));
}
function expm1s(bytes: usize, z: usize, x: usize, dx: usize): void {
  for (const end = z + (bytes & ~31); z < end; z += 32, x += 2 * dx) {
    const a = expm1(v128.load(x));
    const b = expm1(v128.load(x + dx));
    v128.store(z, a);
    v128.store(z, b, 16);
  }
  if (bytes & 16) v128.store(z, expm1(v128.load(x)));
}
function logs(bytes: usize, z: usize, x: usize, dx: usize): void {
  for (const end = z + (bytes & ~31); z < end; z += 32, x += 2 * dx) {
    const a = v128.load(x);
    const b = v128.load(x + dx);
    // the rare case in a function of its own keeps the loop short
    if (!(areNormal(a) && areNormal(b))) {
      v128.store(z, logAnywhere(a));
      v128.store(z, logAnywhere(b), 16);
      continue;
    }
    v128.store(z, logNormal(a));
    v128.store(z, logNormal(b), 16);
  }
  if (bytes & 16) v128.store(z, logAnywhere(v128.load(x)));
}
function log1ps(bytes: usize, z: usize, x: usize, dx: usize): void {
  for (const end = z + (bytes & ~31); z < end; z += 32, x += 2 * dx) {
    const a = log1p(v128.load(x));
    const b = log1p(v128.load(x + dx));
    v128.store(z, a);
    v128.store(z, b, 16);
  }
  if (bytes & 16) v128.store(z, log1p(v128.load(x)));
}
function tanhs(bytes: usize, z: usize, x: usize, dx: usize): void {
  for (const end = z + (bytes & ~31); z < end; z += 32, x += 2 * dx) {
    const a = tanh(v128.load(x));
    const b = tanh(v128.load(x + dx));
    v128.store(z, a);
    v128.store(z, b, 16);
  }
  if (bytes & 16) v128.store(z, tanh(v128.load(x)));
}
function sigmoids(bytes: usize, z: usize, x: usize, dx: usize): void {
  for (const end = z + (bytes & ~31); z < end; z += 32, x += 2 * dx) {
    const a = sigmoid(v128.load(x));
    const b = sigmoid(v128.load(x + dx));
    v128.store(z, a);
    v128.store(z, b, 16);
  }
  if (bytes & 16) v128.store(z, sigmoid(v128.load(x)));
}
function sines(bytes: usize, z: usize, x: usize, dx: usize): void {
  for (const end = z + bytes; z < end; z += 16, x += dx) v128.store(z, sin(v128.load(x)));
}
function cosines(bytes: usize, z: usize, x: usize, dx: usize): void {
  for (const end = z + bytes; z < end; z += 16, x += dx) v128.store(z, cos(v128.load(x)));
}
function arctangents(bytes: usize, z: usize, x: usize, dx: usize): void {
  for (const end = z + bytes; z < end; z += 16, x += dx) v128.store(z, atan(v128.load(x)));
}

function sums(bytes: usize, z: usize, x: usize, dx: usize, y: usize, dy: usize): void {
  binary(ADD, bytes, z, x, dx, y, dy);
}
function differences(bytes: usize, z: usize, x: usize, dx: usize, y: usize, dy: usize): void {
  binary(SUB, bytes, z, x, dx, y, dy);
}
function products(bytes: usize, z: usize, x: usize, dx: usize, y: usize, dy: usize): void {
  binary(MUL, bytes, z, x, dx, y, dy);
}
function quotients(bytes: usize, z: usize, x: usize, dx: usize, y: usize, dy: usize): void {
  binary(DIV, bytes, z, x, dx, y, dy);
}
function maxima(bytes: usize, z: usize, x: usize, dx: usize, y: usize, dy: usize): void {
  binary(MAX, bytes, z, x, dx, y, dy);
}
function minima(bytes: usize, z: usize, x: usize, dx: usize, y: usize, dy: usize): void {
  binary(MIN, bytes, z, x, dx, y, dy);
}
function comparisons(bytes: usize, z: usize, x: usize, dx: usize, y: usize, dy: usize): void {
  binary(LESS, bytes, z, x, dx, y, dy);
}
function powers(bytes: usize, z: usize, x: usize, dx: usize, y: usize, dy: usize): void {
  for (const end = z + bytes; z < end; z += 16, x += dx, y += dy) v128.store(z, pow(v128.load(x), v128.load(y)));
}

function selections(bytes: usize, z: usize, x: usize, dx: usize, y: usize, dy: usize, w: usize, dw: usize): void {
  for (const end = z + bytes; z < end; z += 16, x += dx, y += dy, w += dw) {
    v128.store(z, v128.bitselect(v128.load(w), v128.load(y), f64x2.eq(v128.load(x), f64x2.splat(0))));
  }
}

export function run(op: i32, bytes: usize, z: usize, x: usize, dx: usize, y: usize, dy: usize, w: usize, dw: usize, between: usize): void {
  switch (op) {
    case 0: return copies(bytes, z, x, dx);
    case 1: return negs(bytes, z, x, dx);
    case 2: return absolutes(bytes, z, x, dx);
    case 3: return signs(bytes, z, x, dx);
    case 4: return squares(bytes, z, x, dx);
    case 5: return reciprocals(bytes, z, x, dx);
    case 6: return roots(bytes, z, x, dx);
    case 7: return exps(bytes, z, x, dx);
    case 8: return expm1s(bytes, z, x, dx);
    case 9: return logs(bytes, z, x, dx);
    case 10: return log1ps(bytes, z, x, dx);
    case 11: return tanhs(bytes, z, x, dx);
    case 12: return logcoshs(bytes, z, x, dx, between);
    case 13: return softpluses(bytes, z, x, dx, between);
    case 14: return sigmoids(bytes, z, x, dx);
    case 15: return sines(bytes, z, x, dx);
    case 16: return cosines(bytes, z, x, dx);
    case 17: return arctangents(bytes, z, x, dx);
    case 18: return sums(bytes, z, x, dx, y, dy);
    case 19: return differences(bytes, z, x, dx, y, dy);
    case 20: return products(bytes, z, x, dx, y, dy);
    case 21: return quotients(bytes, z, x, dx, y, dy);
    case 22: return maxima(bytes, z, x, dx, y, dy);
    case 23: return minima(bytes, z, x, dx, y, dy);
    case 24: return comparisons(bytes, z, x, dx, y, dy);
    case 25: return powers(bytes, z, x, dx, y, dy);
    case 26: return muladds(bytes, z, x, dx, y, dy, w, dw);
    case 27: return selections(bytes, z, x, dx, y, dy, w, dw);
    case 28: return logcoshTanhs(bytes, z, x, dx, y, between);
    case 29: return softplusSigmoids(bytes, z, x, dx, y, between);
  }
}
