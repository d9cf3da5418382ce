/** Which rows a rank has: ⌊nr/size⌋ … ⌊n(r+1)/size⌋ − 1. They differ by one at most, and some ranks have none where n is small. */
export interface Partition {
  /** first row of a rank; firstRow(n, size) = n */
  firstRow(n: number, rank: number): number;
  count(n: number, rank: number): number;
  /** the rank that has row i */
  ownerOf(n: number, i: number): number;
}

export function partition(size: number): Partition {
  const firstRow = (n: number, rank: number): number => Math.floor((n * rank) / size);
  return {
    firstRow,
    count: (n, rank) => firstRow(n, rank + 1) - firstRow(n, rank),
    ownerOf(n, i) {
      let rank = Math.min(size - 1, Math.floor((i * size) / n));
      while (firstRow(n, rank + 1) <= i) rank++;
      while (firstRow(n, rank) > i) rank--;
      return rank;
    },
  };
}
