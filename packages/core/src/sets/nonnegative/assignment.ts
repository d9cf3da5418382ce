/**
 * A row for each column of an n×p matrix, n ≥ p, with the largest sum of entries: shortest augmenting paths with potentials, O(np²)
 * [Jonker and Volgenant, A shortest augmenting path algorithm for dense and sparse linear assignment problems, 1987].
 */
export function assignRows(A: Float64Array, n: number, p: number): Int32Array {
  /** the column of each row, −1 for none; row and column n and p stand for the start of a path */
  const columnOf = new Int32Array(n + 1).fill(-1);
  const [u, v] = [new Float64Array(p), new Float64Array(n + 1)];
  const [distance, from, isDone] = [new Float64Array(n), new Int32Array(n), new Uint8Array(n + 1)];
  for (let first = 0; first < p; first++) {
    columnOf[n] = first;
    distance.fill(Number.POSITIVE_INFINITY);
    isDone.fill(0);
    let row = n;
    do {
      isDone[row] = 1;
      const j = columnOf[row]!;
      let [next, least] = [-1, Number.POSITIVE_INFINITY];
      for (let i = 0; i < n; i++) {
        if (isDone[i]) continue;
        const cost = -A[i * p + j]! - u[j]! - v[i]!;
        if (cost < distance[i]!) [distance[i], from[i]] = [cost, row];
        if (distance[i]! < least) [next, least] = [i, distance[i]!];
      }
      for (let i = 0; i <= n; i++) {
        if (isDone[i]) {
          u[columnOf[i]!]! += least;
          v[i]! -= least;
        } else if (i < n) distance[i]! -= least;
      }
      row = next;
    } while (columnOf[row]! >= 0);
    while (row !== n) {
      const before = from[row]!;
      columnOf[row] = columnOf[before]!;
      row = before;
    }
  }
  const rows = new Int32Array(p);
  for (let i = 0; i < n; i++) if (columnOf[i]! >= 0) rows[columnOf[i]!] = i;
  return rows;
}
