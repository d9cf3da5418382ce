/** Manifolds as they are written on the command line: "complex-stiefel(20, 5)", "product(U: stiefel(20, 3), V: sphere(10))". */
import type { Manifold, View } from "@expen/core";
import {
  circle,
  complexStiefel,
  euclidean,
  fixedRank,
  flag,
  generalizedStiefel,
  grassmann,
  oblique,
  permutations,
  power,
  product,
  simplex,
  specialOrthogonal,
  sphere,
  stiefel,
} from "@expen/core";
import { loadOperator } from "@expen/data";
import { didYouMean, InputError, messageOf } from "./input-error.js";

type Place = Manifold<View>;

const complex = { field: "complex" } as const;

/** The arguments of each manifold, sizes by their letters; a "?" marks one that may be left out */
const SIZES: Record<string, { letters: readonly string[]; make(...sizes: number[]): unknown }> = {
  stiefel: { letters: ["n", "p"], make: (n, p) => stiefel(n!, p!) },
  grassmann: { letters: ["n", "p"], make: (n, p) => grassmann(n!, p!) },
  "complex-stiefel": { letters: ["n", "p"], make: (n, p) => complexStiefel(n!, p!) },
  "complex-grassmann": { letters: ["n", "p"], make: (n, p) => grassmann(n!, p!, complex) },
  oblique: { letters: ["n", "p"], make: (n, p) => oblique(n!, p!) },
  "complex-oblique": { letters: ["n", "p"], make: (n, p) => oblique(n!, p!, complex) },
  sphere: { letters: ["n"], make: (n) => sphere(n!) },
  "complex-sphere": { letters: ["n"], make: (n) => sphere(n!, complex) },
  circle: { letters: ["n"], make: (n) => circle(n!) },
  simplex: { letters: ["n", "p?"], make: (n, p) => simplex(n!, p) },
  "special-orthogonal": { letters: ["n"], make: (n) => specialOrthogonal(n!) },
  permutations: { letters: ["n"], make: (n) => permutations(n!) },
  "fixed-rank": { letters: ["m", "n", "r"], make: (m, n, r) => fixedRank(m!, n!, r!) },
  euclidean: { letters: ["n", "p?"], make: (n, p) => euclidean(n!, p) },
  "complex-euclidean": { letters: ["n", "p?"], make: (n, p) => euclidean(n!, p ?? 1, complex) },
};
const OTHERS = ["flag", "generalized-stiefel", "power", "product"];
export const manifoldNames: readonly string[] = [...Object.keys(SIZES), ...OTHERS];

/** The manifold of a text; an InputError of one sentence if it has a mistake */
export async function manifoldOf(text: string): Promise<Place> {
  const call = /^([^()]*)\((.*)\)\s*$/s.exec(text);
  if (!call && text.includes("(")) throw new InputError(`--on '${text}': the parentheses do not match.`);
  const name = (call?.[1] ?? text).trim();
  if (name === "own-manifold") {
    const how = "export it from the file of the problem, export const on = ownManifold({ rows, cols, c })";
    throw new InputError(`--on '${text}': a set of your own has equations, which this text cannot hold; ${how}.`);
  }
  if (!manifoldNames.includes(name)) {
    const message = `--on '${name}' is none of ${manifoldNames.join(", ")}`;
    throw new InputError(`${message}${didYouMean(name, manifoldNames)}`);
  }
  const texts = call ? argumentsOf(text, call[2]!) : [];
  if (name === "product") return productOf(text, texts);
  if (name === "power") return powerOf(text, texts);
  try {
    if (name === "generalized-stiefel") return await generalized(texts);
    if (name === "flag") return flagOf(texts) as unknown as Place;
    const { letters, make } = SIZES[name]!;
    const least = letters.filter((letter) => !letter.endsWith("?")).length;
    if (texts.length < least || texts.length > letters.length) {
      const form = `${name}(${letters.join(", ").replace(", p?", "[, p]")})`;
      throw new InputError(`it has ${texts.length} numbers in parentheses; write ${form}.`);
    }
    return make(...texts.map((size, i) => sizeOf(letters[i]!.replace("?", ""), size))) as Place;
  } catch (error) {
    throw new InputError(`--on '${text}': ${messageOf(error)}`, { cause: error });
  }
}

async function generalized(texts: readonly string[]): Promise<Place> {
  const [file, p] = texts;
  if (texts.length !== 2 || !file) {
    throw new InputError("write generalized-stiefel(B.mtx, p), with a file that holds B.");
  }
  const { matrix } = await loadOperator(file);
  if (matrix.rows !== matrix.cols) throw new InputError(`${file} is ${matrix.rows}×${matrix.cols}; B must be square.`);
  return generalizedStiefel(matrix, sizeOf("p", p!)) as unknown as Place;
}

/** flag(n, d1, d2, …) */
function flagOf([n, ...dims]: readonly string[]): Manifold {
  if (n === undefined || dims.length === 0) throw new InputError("write flag(n, d1, d2, …), as flag(100, 1, 2).");
  return flag(
    sizeOf("n", n),
    dims.map((size, i) => sizeOf(`d${i + 1}`, size)),
  );
}

async function powerOf(text: string, texts: readonly string[]): Promise<Place> {
  const [inner, k] = texts;
  if (texts.length !== 2 || !inner || k === undefined) {
    throw new InputError(`--on '${text}': write power(manifold, k), as power(stiefel(3, 2), 100).`);
  }
  const one = await manifoldOf(inner);
  try {
    return power(one as Manifold, sizeOf("k", k)) as unknown as Place;
  } catch (error) {
    throw new InputError(`--on '${text}': ${messageOf(error)}`, { cause: error });
  }
}

async function productOf(text: string, texts: readonly string[]): Promise<Place> {
  const parts: Record<string, Place> = {};
  for (const part of texts) {
    const [, name, inner] = /^\s*([\p{L}_][\p{L}\p{N}_]*)\s*:(.*)$/su.exec(part) ?? [];
    if (!name || inner === undefined) {
      throw new InputError(`--on '${text}': '${part.trim()}' has no name; write product(U: …, V: …).`);
    }
    if (name in parts) throw new InputError(`--on '${text}': two parts are called ${name}; give them other names.`);
    parts[name] = await manifoldOf(inner.trim());
  }
  if (texts.length === 0) throw new InputError(`--on '${text}': it has no parts; write product(U: …, V: …).`);
  return product(parts) as unknown as Place;
}

/** The arguments between commas; parentheses inside an argument stay whole. */
function argumentsOf(text: string, inside: string): string[] {
  const parts: string[] = [];
  let [depth, part] = [0, ""];
  for (const letter of inside) {
    if (letter === "(") depth++;
    if (letter === ")") depth--;
    if (depth < 0) break;
    if (letter === "," && depth === 0) {
      parts.push(part);
      part = "";
    } else part += letter;
  }
  if (depth !== 0) throw new InputError(`--on '${text}': the parentheses do not match.`);
  return [...parts, part].map((s) => s.trim()).filter((s, _, all) => s !== "" || all.length > 1);
}

function sizeOf(letter: string, text: string): number {
  const size = text === "" ? Number.NaN : Number(text);
  if (Number.isSafeInteger(size) && size >= 1) return size;
  throw new InputError(`${letter} is '${text}'; it must be a whole number, 1 or more.`);
}
