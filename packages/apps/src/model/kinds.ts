/** The parts of each model: the maps between samples and scores, and the fields that are in its JSON. */

/** Names of fields of an answer */
export interface Kind {
  /** F = ((A − 1·centreᵀ)/scale)·analysis, and back: A ≈ (F·synthesisᵀ)·scale + 1·centreᵀ; n×p each */
  readonly analysis: string;
  readonly synthesis: string;
  /** names of the scores: pc1, pc2, … */
  readonly score: string;
  /** the fields that are as long as the training samples: JSON leaves them out */
  readonly ofSamples: readonly string[];
}

const kind = (analysis: string, synthesis: string, score: string, ...ofSamples: string[]): Kind => ({
  analysis,
  synthesis,
  score,
  ofSamples,
});

export type KindName =
  | "pca"
  | "sparse-pca"
  | "nonnegative-pca"
  | "robust-pca"
  | "ica"
  | "dictionary"
  | "svd"
  | "discriminant"
  | "rotation"
  | "cca"
  | "align";

export const KINDS: Readonly<Record<KindName, Kind>> = {
  pca: kind("components", "components", "pc", "scores"),
  "sparse-pca": kind("components", "components", "pc", "scores"),
  "nonnegative-pca": kind("components", "components", "pc", "scores"),
  "robust-pca": kind("components", "components", "pc", "scores", "distances", "weights"),
  ica: kind("unmixing", "mixing", "source", "sources"),
  dictionary: kind("atoms", "atoms", "code", "codes"),
  svd: kind("V", "V", "v", "U"),
  discriminant: kind("directions", "directions", "ld", "scores"),
  rotation: kind("coefficients", "loadings", "factor", "scores"),
  cca: kind("first", "second", "cc", "firstScores", "secondScores"),
  align: kind("rotation", "rotation", "", "aligned"),
};

/** pc1, pc2, … */
export const scoreNames = (kind: KindName, p: number): string[] =>
  Array.from({ length: p }, (_, j) => `${KINDS[kind].score}${j + 1}`);
