/** Answers of applications as models: new samples are transformed by what was computed from the first ones. */
import { HostMatrix, hostMatrix, type Matrix } from "@expen/linalg";
import { alignment } from "./alignment.js";
import { classifier } from "./classifier.js";
import { KINDS, type KindName, scoreNames } from "./kinds.js";
import { linear, type Model } from "./linear.js";
import { pair } from "./pair.js";

/** Fields whose matrices have the methods of answers */
export type Hosted<F> = { [K in keyof F]: F[K] extends Matrix ? HostMatrix : F[K] };

/** A prototype whose methods stay with their object: const { transform } = await pca(rows, { p: 2 }) works. */
function prototypeOf(methods: object, base: object = {}): object {
  const own = Object.getOwnPropertyDescriptors(methods);
  const bound = Object.entries(own).map(([name, descriptor]): [string, PropertyDescriptor] => {
    const method: unknown = descriptor.value;
    if (typeof method !== "function") return [name, descriptor];
    return [name, { get: getter(method as (...args: never[]) => unknown), configurable: true }];
  });
  return Object.defineProperties(Object.create(base), Object.fromEntries(bound));
}

function getter(method: (...args: never[]) => unknown) {
  return function (this: object): unknown {
    return method.bind(this as never);
  };
}

const ofMaps = /* @__PURE__ */ prototypeOf(linear);
/** The methods by kind, where they are not those of an affine map */
const METHODS: { readonly [kind: string]: object } = {
  discriminant: /* @__PURE__ */ prototypeOf(classifier, ofMaps),
  cca: /* @__PURE__ */ prototypeOf(pair),
  align: /* @__PURE__ */ prototypeOf(alignment),
};

/** The fields of an answer with the methods of its kind: on a prototype, so that the fields can be copied to a worker */
export const modelOf = <F extends object, M = Model>(kind: KindName, fields: F): Hosted<F> & M =>
  Object.assign(Object.create(METHODS[kind] ?? ofMaps), { kind, ...withHostMatrices(fields, scoreMatricesOf(kind)) });

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
