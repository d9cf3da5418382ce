/** --start and --out of several processes: each rank reads its own rows, and rank 0 writes the rows of all. */
import { leaves, type Manifold, mapView, type View } from "@expen/core";
import { joinedRows, loadRows, type Point, savePoint, saveRows } from "@expen/data/disk";
import type { Engine, Matrix, Ranks, Tall } from "@expen/linalg";
import { rowsOf } from "@expen/linalg/engine";

/** Whether X is one real matrix in host memory with its rows distributed, so that each rank can read its own */
export const isByRows = (E: Engine, { shapes }: Manifold<View>): boolean =>
  E.name === "mpi" && !E.device && shapes.length === 1 && !shapes[0]!.complex;

/** The start from a file, on the engine; each rank reads its rows. */
export async function startByRows(
  E: Engine,
  path: string,
  { n, p }: { n: number; p: number },
): Promise<{ matrix: Tall & Point; notes: string[] }> {
  const X = E.tall(n, p);
  const rows = rowsOf(E, X);
  const { matrix, notes } = await loadRows(path, { rows: n, cols: p }, rows.firstRow, rows.rows);
  rows.data.set(matrix.data);
  return { matrix: X as Tall & Point, notes };
}

/** Rank 0 writes X to `path`, the others send their rows. */
export async function saveTogether(ranks: Ranks, path: string, X: View, { shapes }: Manifold<View>): Promise<void> {
  const sizes = shapes.flatMap(({ n, p, complex }) => Array.from({ length: complex ? 2 : 1 }, () => [n, p] as const));
  const parts = leaves(X).map(({ matrix }, i) => {
    const [rows, cols] = sizes[i]!;
    return { rows, cols, blocks: () => ranks.collect(matrix.data, rows, cols) };
  });
  if (ranks.rank > 0) for (const { blocks } of parts) blocks();
  else if (parts.length === 1) await saveRows(path, parts[0]!, parts[0]!.blocks()!);
  else {
    let next = 0;
    const whole = (): Matrix => joinedRows(parts[next]!, parts[next++]!.blocks()!);
    await savePoint(path, mapView(X, whole) as Point);
  }
}

/** The exit code of all ranks: that of a signal to any of them */
export function agreedCode({ rank, size, sum }: Ranks, mine: number | undefined): number | undefined {
  const codes = new Float64Array(size);
  codes[rank] = mine ?? 0;
  sum(codes);
  return Math.max(...codes) || undefined;
}
