/** Vectors of two doubles, and addresses; all functions are inlined. */

/** The bytes of `size` numbers */
@inline
export function bytes(size: i32): usize {
  return (<usize>size) << 3;
}

/** a·b + c in each lane; with one rounding in the relaxed build if the host has fused multiply-add */
@inline
export function madd(a: v128, b: v128, c: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return f64x2.relaxed_madd(a, b, c);
  return f64x2.add(f64x2.mul(a, b), c);
}

/** c − a·b in each lane */
@inline
export function nmadd(a: v128, b: v128, c: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return f64x2.relaxed_nmadd(a, b, c);
  return f64x2.sub(c, f64x2.mul(a, b));
}

/** a where the lanes of the mask are all ones, b where they are all zeros */
@inline
export function select(a: v128, b: v128, mask: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return i64x2.relaxed_laneselect(a, b, mask);
  return v128.bitselect(a, b, mask);
}

/** x₀ + x₁ */
@inline
export function sum(x: v128): f64 {
  return f64x2.extract_lane(x, 0) + f64x2.extract_lane(x, 1);
}

/** (x₀, y₀) */
@inline
export function firsts(x: v128, y: v128): v128 {
  return v128.shuffle<f64>(x, y, 0, 2);
}

/** (x₁, y₁) */
@inline
export function seconds(x: v128, y: v128): v128 {
  return v128.shuffle<f64>(x, y, 1, 3);
}
