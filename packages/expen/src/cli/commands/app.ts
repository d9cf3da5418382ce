/** The applications as commands: `expen pca data.csv`, in a group too (`expen app pca data.csv`), and `expen apps`, which lists them. */
import type { Command } from "commander";
import { addApplication } from "../applications/command.js";
import { applications } from "../applications/list.js";
import { pairs } from "../format.js";
import { InputError } from "../input-error.js";

const EXAMPLES = `
Examples:
  expen app pca data.csv --p 3 --out components.npy
  expen app discriminant iris.csv --labels 5 --p 2
  expen app jointdiag A1.csv A2.csv A3.csv --json

'app' may be left out: expen pca data.csv --p 3. 'expen pca --help' lists the options of an application.`;

export function appCommands(program: Command): void {
  const group = program
    .command("app")
    .description("run an application on data files: PCA, ICA, canonical correlations, …");
  for (const one of applications) {
    addApplication(group, one, "expen app");
    // hidden in the list of commands, which `expen apps` continues
    addApplication(program, one, "expen", true);
  }
  group.addHelpText("after", EXAMPLES);
  program
    .command("apps")
    .description("list the applications, a line each")
    .addHelpText("after", "\nExample:\n  expen apps")
    .action(() => void process.stdout.write(`${listOfApplications()}\n`));
}

function listOfApplications(): string {
  const words = applications.map(({ name, files, summary }): [string, string] => {
    const ofFiles = files.map((file) => (file.optional ? `[${file.name}]` : `${file.name}${file.repeats ? " …" : ""}`));
    return [`expen ${[name, ...ofFiles].join(" ")}`, summary];
  });
  return `${pairs(words)}\n\n'expen pca --help' lists the options of an application, with an example.\n'expen transform model.json new.csv' takes a model that --out model.json has saved.`;
}

/** Options of the former `solve --app` whose names have changed, by application */
const FORMER: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  rotation: { "--rotation": ["--kind"] },
  "mean-rotation": { "--average": ["--kind"] },
  "robust-pca": { "--no-centre": ["--centre", "none"], "--no-center": ["--centre", "none"] },
};

/** The words, with the former `expen solve --app NAME …` rewritten as `expen app NAME …` */
export function withoutAlias(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word) => word === "--app" || word.startsWith("--app="));
  if (words[0] !== "solve" || at < 0) return words;
  const apart = words[at] === "--app";
  const name = apart ? words[at + 1] : words[at]!.slice("--app=".length);
  if (!name) throw new InputError("--app: name an application; 'expen app --help' lists them.");
  const rest = [...words.slice(1, at), ...words.slice(at + (apart ? 2 : 1))];
  return ["app", name, ...rest.flatMap((word) => FORMER[name]?.[word] ?? [word])];
}
