/** Manifolds as they are written on the command line: "complex-stiefel(20, 5)", "product(U: stiefel(20, 3), V: sphere(10))". */
import type { Manifold, View } from "@expen/core";
import {
  complexStiefel,
  euclidean,
  generalizedStiefel,
  grassmann,
  oblique,
  permutations,
  product,
  specialOrthogonal,
  sphere,
  stiefel,
} from "@expen/core";
import { loadOperator } from "@expen/data";
import { didYouMean, InputError, messageOf } from "./input-error.js";

type Place = Manifold<View>;

/** The arguments of each manifold, sizes by their letters; a "?" marks one that may be left out */
const SIZES: Record<string, { letters: readonly string[]; make(...sizes: number[]): unknown }> = {
  stiefel: { letters: ["n", "p"], make: (n, p) => stiefel(n!, p!) },
  grassmann: { letters: ["n", "p"], make: (n, p) => grassmann(n!, p!) },
  "complex-stiefel": { letters: ["n", "p"], make: (n, p) => complexStiefel(n!, p!) },
  oblique: { letters: ["n", "p"], make: (n, p) => oblique(n!, p!) },
  sphere: { letters: ["n"], make: (n) => sphere(n!) },
  "special-orthogonal": { letters: ["n"], make: (n) => specialOrthogonal(n!) },
  permutations: { letters: ["n"], make: (n) => permutations(n!) },
  euclidean: { letters: ["n", "p?"], make: (n, p) => euclidean(n!, p) },
};
const OTHERS = ["generalized-stiefel", "product"];
export const manifoldNames: readonly string[] = [...Object.keys(SIZES), ...OTHERS];

/** The manifold of a text; an InputError of one sentence if it has a mistake */
export async function manifoldOf(text: string): Promise<Place> {
  const call = /^\s*([\w-]+)\s*\((.*)\)\s*$/s.exec(text);
  if (!call && text.includes("(")) throw new InputError(`--on '${text}': the parentheses do not match.`);
  const name = (call?.[1] ?? text).trim();
  if (!manifoldNames.includes(name)) {
    const message = `--on '${name}' is none of ${manifoldNames.join(", ")}`;
    throw new InputError(`${message}${didYouMean(name, manifoldNames)}`);
  }
  const texts = call ? argumentsOf(text, call[2]!) : [];
  if (name === "product") return productOf(text, texts);
  try {
    if (name === "generalized-stiefel") return await generalized(texts);
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
