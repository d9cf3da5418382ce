import type { Matrix } from "@expen/linalg";
import { entryOf } from "@expen/linalg/algebras";

/** A function of an objective that does not do what its contract says, found before the run. */
export class ContractError extends TypeError {
  override name = "ContractError";
}

/** "(3, 1)"; of a product with the part, "(3, 1) of U" */
export function place(M: Matrix, at: number): string {
  const { part, row, column } = entryOf(M, at);
  return `(${row}, ${column})${part && ` of ${part}`}`;
}
