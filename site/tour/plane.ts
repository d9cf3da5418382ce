/** Planes in ℝᵈ as d×2 matrices with orthonormal columns, and the shortest ways between them. */

/** d rows of two numbers */
export type Frame = readonly (readonly [number, number])[];

/** FᵀG */
function inner(F: Frame, G: Frame): [number, number, number, number] {
  const sums: [number, number, number, number] = [0, 0, 0, 0];
  for (const [i, [a, b]] of F.entries()) {
    const [c, d] = G[i]!;
    sums[0] += a * c;
    sums[1] += a * d;
    sums[2] += b * c;
    sums[3] += b * d;
  }
  return sums;
}

const rotation = (angle: number): [number, number, number, number] => {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return [c, -s, s, c];
};

/** The 2×2 matrix M = U·Diag(s)·Vᵀ, s ≥ 0 [Blinn 1996]: U a rotation, V perhaps with a reflection */
function svd2([a, b, c, d]: readonly [number, number, number, number]) {
  const [e, f, g, h] = [(a + d) / 2, (a - d) / 2, (c + b) / 2, (c - b) / 2];
  const [q, r] = [Math.hypot(e, h), Math.hypot(f, g)];
  const [a1, a2] = [Math.atan2(g, f), Math.atan2(h, e)];
  const U = rotation((a2 + a1) / 2);
  const Vt = rotation((a2 - a1) / 2);
  const sign = q >= r ? 1 : -1;
  // Vᵀ with its second row turned where the second value is negative
  const V: [number, number, number, number] = [Vt[0], sign * Vt[2], Vt[1], sign * Vt[3]];
  return { U, s: [q + r, Math.abs(q - r)] as const, V };
}

const times = (F: Frame, [a, b, c, d]: readonly [number, number, number, number]): [number, number][] =>
  F.map(([x, y]) => [x * a + y * c, x * b + y * d]);

/** Principal angles between two planes, the smaller one first */
export function angles(F: Frame, G: Frame): [number, number] {
  const { s } = svd2(inner(F, G));
  return [Math.acos(Math.min(1, s[0])), Math.acos(Math.min(1, s[1]))];
}

/** An angle below which two directions are one, rad: sines of smaller ones are rounding */
const SAME = 1e-7;

/**
 * The geodesic from the plane of F to that of G [Buja, Cook, Asimov, Hurley 2005]: with FᵀG = UΣVᵀ the principal directions FU turn to those of G,
 * by angles acos σ at constant speed, and nothing turns inside of the plane. F itself at t = 0; at t = 1 a basis of G's plane.
 */
export function geodesic(F: Frame, G: Frame): { length: number; at(t: number): Frame } {
  const { U, s, V } = svd2(inner(F, G));
  const [from, to] = [times(F, U), times(G, V)];
  const turns = s.map((sigma) => Math.acos(Math.min(1, sigma)));
  const beside = to.map((row, i) =>
    row.map((v, j) => (turns[j]! < SAME ? 0 : (v - from[i]![j]! * s[j]!) / Math.sin(turns[j]!))),
  );
  const back: [number, number, number, number] = [U[0], U[2], U[1], U[3]];
  return {
    length: Math.hypot(...turns),
    at(t) {
      const [c, n] = [turns.map((a) => Math.cos(a * t)), turns.map((a) => Math.sin(a * t))];
      return times(
        from.map(([x, y], i) => [c[0]! * x + n[0]! * beside[i]![0]!, c[1]! * y + n[1]! * beside[i]![1]!]),
        back,
      );
    },
  };
}

/** Orthonormal columns by Gram and Schmidt; twice, since rounding of a first time shows where they are nearly parallel */
export function orthonormal(rows: readonly (readonly number[])[]): Frame {
  const [x, y] = [0, 1].map((k) => rows.map((row) => row[k]!)) as [number[], number[]];
  const normalise = (v: number[]): number[] => v.map((entry) => entry / Math.hypot(...v));
  const first = normalise(x);
  const without = (v: number[]): number[] => {
    const along = v.reduce((sum, entry, i) => sum + entry * first[i]!, 0);
    return v.map((entry, i) => entry - along * first[i]!);
  };
  const second = normalise(without(normalise(without(y))));
  return first.map((entry, i) => [entry, second[i]!]);
}

/** Length of an axis in the plane at most: at 1 no other column would have a part in its direction. */
const LONGEST = 0.995;
/** Symmetric 2×2 matrices by their entries (1, 1), (1, 2), (2, 2) */
type Symmetric = readonly [number, number, number];

/** √S for S ⪰ 0, not 0: (S + √det S·I)/√(tr S + 2√det S) */
function rootOf([a, b, c]: Symmetric): Symmetric {
  const det = Math.sqrt(Math.max(0, a * c - b * b));
  const size = Math.sqrt(a + c + 2 * det);
  return [(a + det) / size, b / size, (c + det) / size];
}

const inverseOf = ([a, b, c]: Symmetric): Symmetric => {
  const det = a * c - b * b;
  return [c / det, -b / det, a / det];
};

const between = ([a, b, c]: Symmetric, [x, y, z]: Symmetric): Symmetric => {
  const [p, q, r, s] = [a * x + b * y, a * y + b * z, b * x + c * y, b * y + c * z];
  return [p * a + q * b, p * b + q * c, r * b + s * c];
};

/**
 * The plane in which axis k is at the point `to`, as near to F as a linear map of the other rows makes it: these have Σfᵢfᵢᵀ = A = I − f_kf_kᵀ,
 * and the symmetric M = A^(−½)(A^½CA^½)^½A^(−½) takes them to C = I − to·toᵀ. For three dimensions or more.
 */
export function withAxisAt(F: Frame, k: number, to: readonly [number, number]): Frame {
  const length = Math.hypot(...to);
  const shrink = length > LONGEST ? LONGEST / length : 1;
  const [x, y] = [to[0] * shrink, to[1] * shrink];
  const frame = Math.hypot(...F[k]!) > LONGEST ? withRoom(F, k) : F;
  const [u, v] = frame[k]!;
  const A: Symmetric = [1 - u * u, -u * v, 1 - v * v];
  const C: Symmetric = [1 - x * x, -x * y, 1 - y * y];
  const half = rootOf(A);
  const [a, b, c] = between(inverseOf(half), rootOf(between(half, C)));
  return frame.map(([p, q], i) => (i === k ? [x, y] : [p * a + q * b, p * b + q * c]));
}

/** A frame near F in which axis k is shorter, and the others have some of its direction */
function withRoom(F: Frame, k: number): Frame {
  const lengths = F.map((row, i) => (i === k ? 2 : Math.hypot(...row)));
  const free = lengths.indexOf(Math.min(...lengths));
  const amount = 2 * Math.sqrt(1 - LONGEST);
  const [u, v] = F[k]!;
  return orthonormal(F.map(([p, q], i) => (i === free ? [p + amount * u, q + amount * v] : [p, q])));
}
