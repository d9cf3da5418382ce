/** New samples for a saved model: the columns that it knows by name, whatever else the file has */
import { ColumnError, type LoadOptions, loadMatrix } from "@expen/data";
import { listed, type Table } from "@expen/linalg";
import { withColumns } from "../columns.js";
import { InputError } from "../input-error.js";

export interface TableFlags {
  columns?: string;
  gaps?: "refuse" | "drop";
}

interface Loaded {
  readonly matrix: Table;
  readonly notes: readonly string[];
}

/**
 * `names`: of the columns of the model. With --columns these are taken in their order, whatever their names; a file without names of
 * columns is taken by position.
 */
export async function newSamples(
  path: string,
  names: readonly string[] | undefined,
  { columns, gaps }: TableFlags,
): Promise<Loaded> {
  const o: LoadOptions = { gaps: gaps ?? "refuse" };
  if (columns !== undefined) {
    const { matrix, notes } = await withColumns(columns, (choice) => loadMatrix(path, { ...choice, ...o }));
    const { rows, cols, data } = matrix;
    return { matrix: { rows, cols, data }, notes };
  }
  if (names === undefined) return loadMatrix(path, o);
  try {
    return await loadMatrix(path, { ...o, columns: names });
  } catch (error) {
    const { cause } = error as Error;
    if (!(cause instanceof ColumnError)) throw error;
    if (cause.known === undefined) return loadMatrix(path, o);
    throw new InputError(
      `${path} has no column '${cause.wanted}', which the model takes; its columns are ${listed(cause.known)}; rename it, or give the columns in the order of the model by --columns.`,
      { cause: error },
    );
  }
}
