/**
 * The files that a run of minimize({ f, grad }, { on: stiefel(40, 3) }) enters: those of which a function is called, with their lines; linear
 * algebra (packages/linalg) and its engine apart.
 *
 *     node scripts/entered.mjs [FILE] [--list]
 *
 * FILE exports `minimize`; left out: packages/solvers/src/minimize.ts. --list prints each file: all its lines, and those of code that were
 * executed; first come the files with most others.
 */
import { join, relative, resolve, sep } from "node:path";
import { linesOf, report, root } from "./imports.mjs";
import { plainRun } from "./plain-run.mjs";

const words = process.argv.slice(2);
const entry = resolve(words.find((word) => !word.startsWith("--")) ?? join(root, "packages/solvers/src/minimize.ts"));

const isAlgebra = (path) => path.startsWith("packages/linalg/");
const isEngine = (path) => path.startsWith("packages/linalg/src/engine/");
const groups = {
  "from f to the certificate": (path) => !isAlgebra(path),
  "linear algebra": (path) => isAlgebra(path) && !isEngine(path),
  "the engine": isEngine,
};

/** The number of lines of a script that were executed in these functions, which contain one another */
function executedLines({ script, calls }) {
  const text = script.replace(/\/\*[\s\S]*?\*\/|(?<=\s)\/\/.*/g, (comment) => " ".repeat(comment.length));
  const isExecuted = new Uint8Array(text.length);
  const outerFirst = calls
    .flatMap(({ ranges }) => ranges)
    .sort((a, b) => b.endOffset - b.startOffset - (a.endOffset - a.startOffset));
  for (const { startOffset, endOffset, count } of outerFirst)
    isExecuted.fill(count > 0 ? 1 : 0, startOffset, endOffset);
  let [at, lines] = [0, 0];
  for (const line of text.split("\n")) {
    if ([...line].some((character, k) => isExecuted[at + k] && /\w/.test(character))) lines++;
    at += line.length + 1;
  }
  return lines;
}

const { texts, entered, printed } = plainRun(entry);
process.stdout.write(printed);
const rows = [...texts].filter(([file]) => entered.has(file));
for (const [group, isIn] of Object.entries(groups)) {
  const own = rows.filter(([file]) => isIn(relative(root, file).split(sep).join("/")));
  const counts = own
    .map(([file, text]) => [file, linesOf(text), executedLines(entered.get(file))])
    .sort(([, a, b], [, c, d]) => c - d - (a - b));
  console.log(`\n${group}: ${counts.reduce((sum, [, , executed]) => sum + executed, 0)} lines of code are executed`);
  for (const [file, lines, executed] of words.includes("--list") ? counts : []) {
    console.log(`${String(lines).padStart(6)}${String(executed).padStart(6)} ${relative(root, file)}`);
  }
  report(new Map(counts));
}
