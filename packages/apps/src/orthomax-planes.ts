/** Kaiser's plane rotations (1958) for the orthomax criteria, in host memory. */
import type { Random } from "@expen/linalg";

/** Largest angle of a sweep, radians, up to which the nearest local maximum is clear */
export const COARSE = 1e-2;
/** The same, up to which that maximum is reached */
export const FINE = 1e-9;
/** Angle, radians, below which sweeps end if it decreases by a factor above SLOW: planes are coupled, and the run converges faster. */
const NEAR = 0.05;
/** factor of the angle from one sweep to the next above which sweeps are slow */
const SLOW = 0.5;
/** Most sweeps from each start */
const MOST_SWEEPS = 30;

/** [Λ; X] by columns, Λ = LX: column j has the v entries of Λ, then the k entries of X */
export type Columns = readonly Float64Array[];

/** The columns of [L; I], L v×k by rows */
export function unrotated(L: Float64Array, v: number, k: number): Columns {
  return Array.from({ length: k }, (_, j) => {
    const column = new Float64Array(v + k);
    for (let i = 0; i < v; i++) column[i] = L[i * k + j]!;
    column[v + j] = 1;
    return column;
  });
}

/** A copy with a rotation by a random angle in every plane */
export function turnedAtRandom(columns: Columns, r: Random): Columns {
  const turned = columns.map((column) => column.slice());
  for (let j = 1; j < turned.length; j++)
    for (let i = 0; i < j; i++) turn(turned[i]!, turned[j]!, 2 * Math.PI * r.uniform());
  return turned;
}

/** Σ Λ⁴ − weight·Σ_j s_j²,  s_j = Σ_i Λ_ij² */
export function orthomaxCriterion(columns: Columns, v: number, weight: number): number {
  let sum = 0;
  for (const column of columns) {
    let [second, fourth] = [0, 0];
    for (let i = 0; i < v; i++) {
      const square = column[i]! * column[i]!;
      second += square;
      fourth += square * square;
    }
    sum += fourth - weight * second * second;
  }
  return sum;
}

/** Rotates all planes of two columns in turn, until no angle exceeds `enough` or angles decrease slowly */
export function sweepPlanes(columns: Columns, v: number, weight: number, enough: number): void {
  for (let sweep = 0, before = 1; sweep < MOST_SWEEPS; sweep++) {
    let largest = 0;
    for (let j = 1; j < columns.length; j++) {
      for (let i = 0; i < j; i++) largest = Math.max(largest, turnPlane(columns[i]!, columns[j]!, v, weight));
    }
    if (largest <= enough || (largest < NEAR && largest > SLOW * before)) return;
    before = largest;
  }
}

/**
 * In the plane of two columns a, b the criterion is a constant and, with u = a∘a − b∘b and w = 2a∘b, ¼(C·cos 4φ + D·sin 4φ) for
 * C = Σ(u² − w²) − weight((Σu)² − (Σw)²) and D = 2Σuw − 2·weight·Σu·Σw: its global maximiser φ has a closed form. Returns |φ|.
 */
function turnPlane(a: Float64Array, b: Float64Array, v: number, weight: number): number {
  let U = 0;
  let W = 0;
  let C = 0;
  let D = 0;
  for (let i = 0; i < v; i++) {
    const x = a[i]!;
    const y = b[i]!;
    const u = (x - y) * (x + y);
    const w = 2 * x * y;
    U += u;
    W += w;
    C += (u - w) * (u + w);
    D += u * w;
  }
  const angle = Math.atan2(2 * (D - weight * U * W), C - weight * (U - W) * (U + W)) / 4;
  turn(a, b, angle);
  return Math.abs(angle);
}

/** (a, b) ← (a, b) rotated by `angle` */
function turn(a: Float64Array, b: Float64Array, angle: number): void {
  const c = Math.cos(angle);
  const s = Math.sin(angle);
  for (let i = 0; i < a.length; i++) {
    const x = a[i]!;
    const y = b[i]!;
    a[i] = c * x + s * y;
    b[i] = c * y - s * x;
  }
}
