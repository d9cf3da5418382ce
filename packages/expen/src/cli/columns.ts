/** --columns: the columns that are read from the files of a command. */

import type { LoadOptions } from "@expen/data";
import { ColumnError } from "@expen/data";
import { InputError } from "./input-error.js";
import { list } from "./option-values.js";

/** Loads the columns of the flag, "1-4,7" or "sepal_length,petal_length"; without the flag all of them. */
export async function withColumns<T>(flag: unknown, load: (options: LoadOptions) => Promise<T>): Promise<T> {
  if (flag === undefined) return load({});
  const columns = list(String(flag));
  if (columns.length === 0) throw new InputError("--columns is empty; give names or numbers from 1, as in 1-4,7.");
  try {
    return await load({ columns });
  } catch (error) {
    const { cause } = error as Error;
    throw cause instanceof ColumnError ? new InputError(`--${cause.message}`, { cause }) : error;
  }
}
