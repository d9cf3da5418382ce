/** An entry ij of a p×p matrix Ω that is skew, and how often such a number is counted in sums over Ω */
export interface Entry {
  readonly i: number;
  readonly j: number;
  /** its place in a list of p×p numbers, and that of entry ji */
  readonly at: number;
  readonly mirrored: number;
  readonly weight: number;
}

/** The entries above the diagonal; of complex matrices those on it, too, which are imaginary */
export function rotationEntries(p: number, complex: boolean): Entry[] {
  const list: Entry[] = [];
  for (let i = 0; i < p; i++) {
    for (let j = complex ? i : i + 1; j < p; j++) {
      list.push({ i, j, at: i * p + j, mirrored: j * p + i, weight: i === j ? 1 : 2 });
    }
  }
  return list;
}
