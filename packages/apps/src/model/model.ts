/** Answers of applications as models: new samples are transformed by what was computed from the first ones. */
import { HostMatrix, hostMatrix, type Matrix } from "@expen/linalg";
import { KINDS, type KindName, scoreNames } from "./kinds.js";
import type { Model } from "./linear.js";
import { ofMaps } from "./prototypes.js";

/** Fields whose matrices have the methods of answers */
export type Hosted<F> = { [K in keyof F]: F[K] extends Matrix ? HostMatrix : F[K] };

/**
 * The fields of an answer with the methods of its kind, those of an affine map if no others are named: on a prototype, so that the fields
 * can be copied to a worker
 */
export const modelOf = <F extends object, M = Model>(
  kind: KindName,
  fields: F,
  methods: object = ofMaps,
): Hosted<F> & M => Object.assign(Object.create(methods), { kind, ...withHostMatrices(fields, scoreMatricesOf(kind)) });

/** The fields of an answer that is no model, its matrices with the methods of HostMatrix */
export const answerOf = <F extends object>(fields: F): Hosted<F> => withHostMatrices(fields, {});

/** The names of the columns, by fields: those of the scores and of the directions that belong to them */
function scoreMatricesOf(kind: KindName): { [field: string]: (p: number) => string[] } {
  if (kind === "align") return {};
  const { analysis, synthesis, ofSamples } = KINDS[kind];
  const ofScores = (p: number): string[] => scoreNames(kind, p);
  return Object.fromEntries([analysis, synthesis, ...ofSamples, "centroids"].map((field) => [field, ofScores]));
}

function withHostMatrices<F extends object>(fields: F, names: { [field: string]: (p: number) => string[] }): Hosted<F> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  const host = (field: string, value: unknown): unknown =>
    isPlain(value) ? hostMatrix(value, names[field]?.(value.cols)) : value;
  return Object.fromEntries(entries.map(([field, value]) => [field, host(field, value)])) as Hosted<F>;
}

const isPlain = (value: unknown): value is Matrix =>
  !(value instanceof HostMatrix && value.names) &&
  (Object(value) as Partial<Matrix>).data instanceof Float64Array &&
  typeof (value as Matrix).rows === "number";
