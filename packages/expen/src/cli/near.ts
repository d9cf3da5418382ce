/** Mistyped commands and options: the nearest name, and the words of other tools. */
import { nearest } from "@expen/linalg";
import type { Command } from "commander";

/** Options by the names that other tools have for them */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "n-components": "p",
  components: "p",
  "n-clusters": "p",
  rank: "p",
  k: "p",
  output: "out",
  o: "out",
  save: "out",
  scale: "standardise",
  whiten: "standardise",
  delimiter: "columns",
  usecols: "columns",
  features: "columns",
  target: "labels",
  label: "labels",
  y: "labels",
  "max-iterations": "max-iter",
  maxiter: "max-iter",
  iterations: "max-iter",
  tolerance: "tol",
  algorithm: "solver",
  method: "solver",
  html: "report",
  verbose: "json",
  "random-state": "seed",
  tol: "tolerance",
  model: "out model=FILE.json",
};

/** Commands by the names that other tools have for them */
const COMMANDS_ELSEWHERE: Readonly<Record<string, string>> = {
  predict: "transform --predict",
  classify: "transform --predict",
  apply: "transform",
  project: "transform",
  "inverse-transform": "transform --inverse",
  eigsh: "eigs",
  lda: "discriminant",
  varimax: "rotation",
  kmeans: "clusters",
  list: "apps",
};

/** The sentence about an unknown command */
export function unknownCommand(name: string, program: Command, problems: Iterable<string>): string {
  const begin = `unknown command '${name}'`;
  if ([...problems].includes(name)) return `${begin}; it is a problem: expen solve ${name}.`;
  if (/\.(csv|tsv|txt|npy|npz|mtx|json)$/i.test(name)) {
    return `${begin}; it is a file: put the name of an application before it, as in expen pca ${name}; expen apps lists them.`;
  }
  if (/\.(ts|js|mjs)$/i.test(name)) return `${begin}; it is a file: expen solve ${name}.`;
  const elsewhere = COMMANDS_ELSEWHERE[name.toLowerCase()];
  if (elsewhere) return `${begin}; it is ${elsewhere} here.`;
  const guess = nearest(name, namesOf(program));
  return guess ? `${begin}; did you mean ${guess}?` : `${begin}; add --help in its place to see the commands.`;
}

/** The sentence about an unknown option of a command */
export function unknownOption(flag: string, command: Command | undefined): string {
  const begin = `unknown option '${flag}'`;
  const known = (command?.options ?? []).flatMap(({ long }) => (long ? [long.slice(2)] : []));
  const name = flag.replace(/^-+/, "").replace(/=.*/, "").toLowerCase();
  const elsewhere = ELSEWHERE[name];
  if (known.includes(name)) return `${begin}; did you mean --${name}?`;
  if (elsewhere && known.includes(elsewhere.split(" ")[0]!)) return `${begin}; it is --${elsewhere} here.`;
  const guess = nearest(name, known);
  const help = command ? `; expen ${pathOf(command)} --help-all lists its options.` : ".";
  return guess ? `${begin}; did you mean --${guess}?` : begin + help;
}

/** The first option among the words that the command does not have */
export function strayOption(command: Command | undefined, words: readonly string[]): string | undefined {
  const known = new Set(command?.options.flatMap(({ long, short }) => [long, short]));
  return words.find((word) => /^--?[a-z]/i.test(word) && !known.has(word.replace(/=.*/, "")));
}

/** The command that the words name: its own, or one of a group */
export function commandOf(program: Command, words: readonly string[]): Command | undefined {
  const child = (parent: Command, word: string | undefined): Command | undefined =>
    parent.commands.find((one) => one.name() === word || (word !== undefined && one.aliases().includes(word)));
  const first = child(program, words[0]);
  return (first && child(first, words[1])) ?? first;
}

const namesOf = (program: Command): string[] => program.commands.flatMap((one) => [one.name(), ...one.aliases()]);

const pathOf = (command: Command): string =>
  command.parent?.parent ? `${command.parent.name()} ${command.name()}` : command.name();
