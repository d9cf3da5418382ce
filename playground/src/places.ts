/** The manifolds of a race, by their names in the address. */

export interface Place {
  name: string;
  label: string;
  /** of X, as asked for: p of them, one, or as many as rows */
  columns: "p" | "1" | "n";
  /** the constraint K(X) = 0 */
  K: string;
  /** of a point of several matrices, by name: for formulas of one's own, which see X.re or X.U */
  parts?: readonly string[];
}

export const STIEFEL = "stiefel";

export const places: readonly Place[] = [
  { name: STIEFEL, label: "Orthonormal columns (Stiefel)", columns: "p", K: "XᵀX − I" },
  { name: "grassmann", label: "Subspaces (Grassmann)", columns: "p", K: "XᵀX − I" },
  { name: "sphere", label: "Unit vectors (sphere)", columns: "1", K: "xᵀx − 1" },
  { name: "oblique", label: "Columns of length 1 (oblique)", columns: "p", K: "diag(XᵀX) − I" },
  { name: "special-orthogonal", label: "Rotations", columns: "n", K: "XᵀX − I" },
  { name: "generalized-stiefel", label: "XᵀBX = I (generalized Stiefel)", columns: "p", K: "XᵀBX − I" },
  {
    name: "complex-stiefel",
    label: "Complex orthonormal columns (unitary for n = p)",
    columns: "p",
    K: "XᴴX − I",
    parts: ["re", "im"],
  },
  {
    name: "pair",
    label: "U and V with orthonormal columns (product)",
    columns: "p",
    K: "(UᵀU − I, VᵀV − I)",
    parts: ["U", "V"],
  },
  { name: "euclidean", label: "All matrices (no constraint)", columns: "p", K: "0" },
];

export const placeOf = (name: string): Place | undefined => places.find((place) => place.name === name);

/** The sizes of X on a manifold, for the n and p of the page */
export function shapeOn(name: string, n: number, p: number): { n: number; p: number } {
  const columns = placeOf(name)?.columns ?? "p";
  return { n, p: columns === "p" ? p : columns === "n" ? n : 1 };
}
