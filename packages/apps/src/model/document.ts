/** A model as JSON: every number is written so that reading restores it to the last bit. */
import type { Result, View } from "@expen/core";
import type { Matrix } from "@expen/linalg";
import { KINDS, type KindName } from "./kinds.js";

export const FORMAT = "expen model 1";

/** A matrix in JSON, as `asMatrix` reads it too */
export interface MatrixDocument {
  rows: number;
  cols: number;
  names?: readonly string[];
  data: number[];
}

/** A model as plain data, as `toJSON` makes it and `Model.fromJSON` reads it */
export interface ModelDocument {
  format: typeof FORMAT;
  kind: KindName;
  /** of the columns of the samples */
  names?: readonly string[];
  /** the strongest statement that was proved of the answer */
  certificate: { level: string; text: string };
  [field: string]: unknown;
}

export function documentOf(model: { readonly kind: KindName; readonly [field: string]: unknown }): ModelDocument {
  const { kind, run, certificate, ...fields } = model;
  const { level, text } = ((run as Result<View> | undefined)?.certificate ??
    certificate) as ModelDocument["certificate"];
  const entries = Object.entries(fields).filter(([name]) => !KINDS[kind].ofSamples.includes(name));
  return {
    format: FORMAT,
    kind,
    ...Object.fromEntries(entries.map(([name, value]) => [name, plainOf(value)])),
    certificate: { level, text },
  };
}

/** The columns of one of two sets */
const isRecord = (value: unknown): value is object => Object(value).centre instanceof Float64Array;

function plainOf(value: unknown): unknown {
  if (value instanceof Float64Array) return Array.from(value);
  if (isRecord(value)) return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, plainOf(part)]));
  const { data } = Object(value) as { data?: unknown };
  if (!(data instanceof Float64Array)) return value;
  const { rows, cols, names } = value as Matrix & { names?: readonly string[] };
  return { rows, cols, ...(names && { names }), data: Array.from(data) } satisfies MatrixDocument;
}
