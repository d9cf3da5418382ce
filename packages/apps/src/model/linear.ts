/** The methods of a model of one set of samples */
import { type HostMatrix, type Matrix, type MatrixLike, ProblemError } from "@expen/linalg";
import { type Columns, samplesFrom, scoresOf } from "./affine.js";
import { documentOf, type ModelDocument } from "./document.js";
import { KINDS, type KindName, scoreNames } from "./kinds.js";
import { rowsFor } from "./rows.js";

/** An affine map of samples to scores, and back to the nearest samples that the model can express */
export interface Model {
  /** the application */
  readonly kind: KindName;
  /** of the columns of the samples, if they had any */
  readonly names?: readonly string[];
  /** the means of the columns, zeros, or a robust centre: subtracted from the samples first */
  readonly mean: Float64Array;
  /**
   * The scores of samples, one a row: ((A − mean)/scale)·W. Records are read by the names of the columns; a list of numbers is one sample.
   *
   *     model.transform([[5.8, 2.7, 5.1, 1.9]]).toRows()
   */
  transform(rows: MatrixLike): HostMatrix;
  /** Samples from scores: what the model has kept of them. `inverseTransform(transform(A))` is a projection of A. */
  inverseTransform(scores: MatrixLike): HostMatrix;
  /** All but what is as long as the training samples; `Model.fromJSON` reads it. `JSON.stringify(model)` calls this. */
  toJSON(): ModelDocument;
}

/** The fields that the methods read: the matrices have the names in `KINDS`. */
export type Fields = Columns & {
  readonly kind: KindName;
  readonly names?: readonly string[];
  readonly [field: string]: unknown;
};

/** The matrices of both directions */
function mapsOf(fields: Fields): { W: Matrix; V: Matrix } {
  const { analysis, synthesis } = KINDS[fields.kind];
  const [W, V] = [fields[analysis], fields[synthesis]] as (Matrix | undefined)[];
  if (W && V) return { W, V };
  throw new ProblemError(`${fields.kind}: factor scores need the data: factorRotation(loadings, { data: rows }).`);
}

export const linear = {
  get mean(): Float64Array {
    const fields = this as unknown as Fields;
    return fields.centre ?? new Float64Array(mapsOf(fields).V.rows);
  },
  transform(source: MatrixLike): HostMatrix {
    const fields = this as unknown as Fields;
    const { W } = mapsOf(fields);
    const rows = rowsFor(`${fields.kind}: transform`, source, W.rows, fields.names);
    return scoresOf(rows, W, fields, scoreNames(fields.kind, W.cols));
  },
  inverseTransform(source: MatrixLike): HostMatrix {
    const fields = this as unknown as Fields;
    const { V } = mapsOf(fields);
    const F = rowsFor(`${fields.kind}: inverseTransform`, source, V.cols, scoreNames(fields.kind, V.cols));
    return samplesFrom(F, V, fields, fields.names);
  },
  toJSON(): ModelDocument {
    return documentOf(this as unknown as Fields);
  },
};
