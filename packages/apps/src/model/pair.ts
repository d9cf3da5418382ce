/** The methods of a model of two sets of variables of the same samples */
import type { HostMatrix, Matrix, MatrixLike } from "@expen/linalg";
import { type Columns, scoresOf } from "./affine.js";
import { documentOf, type ModelDocument } from "./document.js";
import { scoreNames } from "./kinds.js";
import type { Fields } from "./linear.js";
import { prototypeOf } from "./prototypes.js";
import { rowsFor } from "./rows.js";

/** Canonical variables of new samples */
export interface PairModel {
  readonly kind: "cca";
  /** The canonical variables of new samples, from both sets of variables or from one */
  transform(first: MatrixLike | undefined, second?: MatrixLike): { first?: HostMatrix; second?: HostMatrix };
  /** All but what is as long as the training samples; `Model.fromJSON` reads it. */
  toJSON(): ModelDocument;
}

/** The columns of one set */
export interface SetOfColumns extends Columns {
  readonly names?: readonly string[];
}

const methods = {
  transform(first?: MatrixLike, second?: MatrixLike): { first?: HostMatrix; second?: HostMatrix } {
    const fields = this as unknown as {
      first: Matrix;
      second: Matrix;
      firstSet: SetOfColumns;
      secondSet: SetOfColumns;
    };
    const scores = (set: "first" | "second", source: MatrixLike): HostMatrix => {
      const [W, columns] = [fields[set], fields[`${set}Set`]];
      const rows = rowsFor(`cca: transform, ${set} set`, source, W.rows, columns.names);
      return scoresOf(rows, W, columns, scoreNames("cca", W.cols));
    };
    return { ...(first && { first: scores("first", first) }), ...(second && { second: scores("second", second) }) };
  },
  toJSON(): ModelDocument {
    return documentOf(this as unknown as Fields);
  },
};

/** The methods as a prototype */
export const ofPair: object = /* @__PURE__ */ prototypeOf(methods);
