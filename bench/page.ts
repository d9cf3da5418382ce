/** The beginning of every page of results: title, commands, machine and contenders. */
import { commandOf, type Head, isBusy, type Kind } from "./store.js";

const inCode = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(", ");

export function pageHead(suite: Kind & { title: string; note?: string }, results: Head): string[] {
  const { machine, contenders, skipped, commit, date } = results;
  const { cpu, cores, memoryGB, os, node, load } = machine;
  const busy = isBusy(machine) ? " (other programs ran then; if they went on, trust the counts, not the times)" : "";
  const measure = commandOf(suite);
  const note = suite.note ? ` ${suite.note}` : "";
  return [
    `# ${suite.title}`,
    "",
    `Measured by \`${measure}\`; \`${measure.replace("bench", "bench:report")}\` writes this page from the newest whole run.${note}`,
    "",
    `Machine: ${cpu}, ${cores} cores, ${memoryGB} GB, ${os}, Node ${node}, load ${load} in the minute before${busy}. Commit ${commit}, ${date.slice(0, 10)}.`,
    "",
    ...alike(contenders).map(([names, description]) => `- ${inCode(names)}: ${withoutFlags(description)}`),
    ...alike(skipped).map(([names, why]) => `- ${inCode(names)}: skipped, ${why}`),
    "",
  ];
}

/** "OpenBLAS 0.3.21 (Haswell), 1 thread": the kernels of a library, without the flags of its build and its file */
export const withoutFlags = (description: string): string =>
  description
    .replace(/(OpenBLAS [\d.]+)(?: [A-Z_]+)* (\w+) MAX_THREADS=\d+ \([^)]*\)/, "$1 ($2)")
    .replace(/, elementwise: .*$/, "");

/** Names with the same text together. */
export function alike(texts: Readonly<Record<string, string>>): [names: string[], text: string][] {
  const groups = new Map<string, string[]>();
  for (const [name, text] of Object.entries(texts)) groups.set(text, [...(groups.get(text) ?? []), name]);
  return [...groups].map(([text, names]) => [names, text]);
}
