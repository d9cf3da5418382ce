/** Options as data: a schema has the names and values of the options of a function; anything else is refused in a sentence. */
import { described } from "./errors.js";
import { nearest } from "./nearest.js";

/** The values that an option may have, in words and as a test */
export interface Kind {
  readonly description: string;
  fits(value: unknown): boolean;
}

export type Schema = { readonly [name: string]: Kind };
/** A schema with every option of O */
export type SchemaOf<O> = { readonly [K in keyof O]-?: Kind };

const kind = /* @__NO_SIDE_EFFECTS__ */ (description: string, fits: (value: unknown) => boolean): Kind => ({
  description: description,
  fits,
});
const isNumber = (value: unknown): value is number => typeof value === "number" && !Number.isNaN(value);
const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

export const anything: Kind = kind("a value", () => true);
export const bool: Kind = kind("true or false", (value) => typeof value === "boolean");
export const number: Kind = kind("a number", isNumber);
export const finite: Kind = kind("a finite number", (value) => Number.isFinite(value));
export const amount: Kind = kind("a number, 0 or more", (value) => isNumber(value) && value >= 0);
export const positive: Kind = kind("a positive number", (value) => isNumber(value) && value > 0);
export const text: Kind = kind("a text", (value) => typeof value === "string");
export const func: Kind = kind("a function", (value) => typeof value === "function");
export const object: Kind = kind("an object", isObject);
export const list: Kind = kind("an array", Array.isArray);
export const signal: Kind = kind(
  "an AbortSignal, as controller.signal is",
  (value) => isObject(value) && typeof (value as { aborted?: unknown }).aborted === "boolean",
);
/** A manifold on an engine, for functions that take an engine and its points */
export const constraint: Kind = kind(
  "a manifold on the engine, as stiefel(n, p).bind(E).on is",
  (value) => typeof (Object(value) as { dissolver?: unknown }).dissolver === "object",
);
export const matrix: Kind = kind("a matrix, as asMatrix(…).matrix is", (value) => isNumber(Object(value).rows));
export const integer: Kind = kind("a whole number", Number.isSafeInteger);
export const whole = (least: number): Kind =>
  kind(`a whole number, ${least} or more`, (value) => Number.isSafeInteger(value) && (value as number) >= least);
/** One of the names; one or two of them are shown in quotes */
export const oneOf = (names: readonly string[]): Kind =>
  kind(names.length > 2 ? `one of ${names.join(", ")}` : names.map((name) => `'${name}'`).join(" or "), (value) =>
    names.includes(value as string),
  );
export const either = (a: Kind, b: Kind): Kind =>
  kind(`${a.description}, or ${b.description}`, (v) => a.fits(v) || b.fits(v));

/** Other spellings, with the names that they stand for */
const SPELLINGS: Readonly<Record<string, string>> = {
  center: "centre",
  standardize: "standardise",
  normalize: "normalise",
};

/**
 * The options, checked: each is in the schema and of its kind; other spellings are replaced. Throws a sentence that begins with `where`
 * otherwise.
 */
export function chosenOptions<O extends object>(where: string, user: O | undefined, schema: Schema): O {
  const begin = where && `${where}: `;
  if (user === undefined) return {} as O;
  if (!isObject(user) || Array.isArray(user)) {
    const names = Object.keys(schema).slice(0, 3).join(", ");
    throw new RangeError(`${begin}the options are ${described(user)}; give an object, as in { ${names} }.`);
  }
  const values = user as Record<string, unknown>;
  for (const [other, name] of Object.entries(SPELLINGS)) {
    const [a, b] = [values[name], values[other]];
    if (!(name in schema) || a === undefined || b === undefined || a === b) continue;
    throw new RangeError(`${begin}${name} is ${quoted(a)} but ${other} is ${quoted(b)}; give one of the two.`);
  }
  const checked: Record<string, unknown> = {};
  for (const [spelled, value] of Object.entries(values)) {
    const other = SPELLINGS[spelled];
    const name = other && other in schema ? other : spelled;
    if (!Object.hasOwn(schema, name)) throw new RangeError(begin + unknownOption(name, Object.keys(schema)));
    if (value === undefined) continue;
    requireKind(begin + spelled, schema[name]!, value);
    checked[name] = value;
  }
  return checked as O;
}

/** Options that are all numbers, with the defaults `usual` */
export function chosenNumbers<O extends Record<string, number>>(where: string, usual: O, user?: Partial<O>): O {
  const schema = Object.fromEntries(Object.keys(usual).map((name) => [name, number]));
  return { ...usual, ...chosenOptions(where, user, schema) };
}

/** "there is no option 'maxIter'; did you mean 'maxIterations'? The options are …" */
function unknownOption(name: string, names: readonly string[]): string {
  const [small, least] = [name.toLowerCase(), 3];
  const near =
    names.find((known) => known.toLowerCase().startsWith(small)) ??
    // the name may be a prefix: tolerance for tol
    names.find((known) => known.length >= least && small.startsWith(known.toLowerCase())) ??
    nearest(name, names);
  const all = names.length > 0 ? `he options are ${names.join(", ")}.` : "here are none.";
  return `there is no option '${name}'; ${near ? `did you mean '${near}'? T` : "t"}${all}`;
}

/** Throws a sentence if the value is not of the kind. */
export function requireKind(name: string, { description: expectation, fits }: Kind, value: unknown): void {
  if (!fits(value)) throw new RangeError(`${name} is ${quoted(value)}; it must be ${expectation}.`);
}

/** Throws a sentence if a function has further arguments, which have a meaning in other libraries. */
export function requireNoMore(call: string, more: readonly unknown[]): void {
  const extra = more.filter((value) => value !== undefined);
  if (extra.length === 0) return;
  throw new RangeError(`${call} takes no more than these; leave out ${extra.map(quoted).join(", ")}.`);
}

/** A value in a sentence */
export const quoted = (value: unknown): string => (typeof value === "string" ? `'${value}'` : described(value));
