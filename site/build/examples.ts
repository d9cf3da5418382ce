/**
 * Examples for the reference: a file has its imports, then blocks, each under the names that it shows.
 *
 *     // polar, svd
 *     {
 *       …
 *       console.log(x); // what it prints
 *     }
 *
 * A page shows a block with the imports that it uses; test/reference.test.ts runs the file and compares what it prints.
 */
export interface Example {
  code: string;
}

interface Import {
  names: string[];
  from: string;
}

const IMPORT = /^import \{([^}]+)\} from "([^"]+)";$/gm;
const BLOCK = /^\/\/ ([\w, ]+)\n\{\n([\s\S]*?)\n\}$/gm;

const importsOf = (text: string): Import[] =>
  [...text.matchAll(IMPORT)].map(([, names, from]) => ({
    names: names!
      .split(",")
      .map((name) => name.trim())
      .filter(Boolean),
    from: from!,
  }));

/** The imports of these that the code uses, a line each */
function importLines(imports: readonly Import[], code: string): string {
  const isUsed = (name: string): boolean =>
    new RegExp(`(?<![.\\w])${name.replace(/^type /, "").replace(/^.* as /, "")}\\b`).test(code);
  return imports
    .map(({ names, from }) => ({ names: names.filter(isUsed), from }))
    .filter(({ names }) => names.length > 0)
    .map(({ names, from }) => `import { ${names.join(", ")} } from "${from}";\n`)
    .join("");
}

export function examplesOf(text: string): Map<string, Example[]> {
  const imports = importsOf(text);
  const examples = new Map<string, Example[]>();
  for (const [, names, body] of text.matchAll(BLOCK)) {
    const inner = body!.replace(/^ {2}/gm, "").replace(/ *\/\/ biome-ignore .*$/gm, "");
    const lines = importLines(imports, inner);
    const code = lines ? `${lines}\n${inner}` : inner;
    for (const name of names!.split(",").map((one) => one.trim())) {
      examples.set(name, [...(examples.get(name) ?? []), { code }]);
    }
  }
  return examples;
}
