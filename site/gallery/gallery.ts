/** The programs of the gallery in their order. The first line of a program says what is seen. */
import type { Picture } from "./picture.js";
import type { Turnable } from "./space.js";

export interface Sound {
  name: string;
  /** samples a second */
  rate: number;
  samples: number[];
}

/** What a program exports for its page */
export interface Shown {
  text: string;
  picture: Picture & { space?: Turnable };
  sounds?: Sound[];
  /** numbers that the tests check */
  answer: Record<string, unknown>;
}

/** [name of the file, title] */
const CHAPTERS: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  "Look at data": [
    ["iris", "Principal components of irises"],
    ["discriminant", "Directions that part classes"],
    ["sparse-pca", "Components of few variables"],
    ["robust-pca", "A line among wrong points"],
    ["varimax", "Factors that can be read"],
    ["cca", "Two sets of variables"],
    ["joint-diagonalization", "One rotation for many matrices"],
  ],
  "Signals and pictures": [
    ["ica-sounds", "Three sounds apart"],
    ["ica-heartbeat", "A child's heart"],
    ["dictionary", "Atoms of pictures"],
    ["completion", "A picture from a third of it"],
    ["svd", "A picture of low rank"],
  ],
  "Points in space": [
    ["procrustes", "A knot onto its copy"],
    ["kabsch", "A molecule that bends"],
    ["mean-rotation", "Mean and median of rotations"],
    ["thomson", "Charges on a sphere"],
    ["graph-layout", "A fullerene from its bonds"],
  ],
  "Physics and graphs": [
    ["hartree-fock", "Water by Hartree and Fock"],
    ["orbitals", "Electrons in a double well"],
    ["drum", "Tones of a drum"],
    ["max-cut", "Two teams"],
  ],
  "Functions of your own": [
    ["own-function", "A formula and three solvers"],
    ["brockett", "Sorting by rotation"],
  ],
};

const sources = import.meta.glob<string>("./programs/*.js", { query: "?raw", import: "default", eager: true });
const modules = import.meta.glob<Shown>("./programs/*.js");

export interface Program {
  name: string;
  title: string;
  chapter: string;
  /** what is seen */
  sentence: string;
  /** without that sentence */
  code: string;
  run(): Promise<Shown>;
}

const entry = (chapter: string, name: string, title: string): Program => {
  const path = `./programs/${name}.js`;
  const whole = sources[path];
  if (!whole) throw new Error(`gallery: there is no program ${name}.js.`);
  const [first, ...rest] = whole.split("\n");
  return { name, title, chapter, sentence: first!.replace(/^\/\/ /, ""), code: rest.join("\n"), run: modules[path]! };
};

export const programs: readonly Program[] = Object.entries(CHAPTERS).flatMap(([chapter, list]) =>
  list.map(([name, title]) => entry(chapter, name, title)),
);

/** Files that no chapter names */
export const strangers: readonly string[] = Object.keys(sources).filter(
  (path) => !programs.some(({ name }) => path === `./programs/${name}.js`),
);
