/** The public names of expen, from the declarations that its users get: what TypeScript knows of each, and an example. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join, relative, sep } from "node:path";
import ts from "typescript";
import { type Example, examplesOf } from "./examples.js";

export interface Entry {
  name: string;
  kind: "function" | "constant" | "class" | "type";
  /** as in the declarations, without bodies */
  declaration: string;
  /** Markdown; empty where nothing is said */
  comment: string;
  examples: Example[];
  /** in the repository */
  file: string;
}

export interface Module {
  /** "expen/apps" */
  name: string;
  /** "apps" */
  short: string;
  comment: string;
  entries: Entry[];
}

const KINDS: [ts.SymbolFlags, Entry["kind"]][] = [
  [ts.SymbolFlags.Class, "class"],
  [ts.SymbolFlags.Function, "function"],
  [ts.SymbolFlags.Value, "constant"],
];

/** The text of a declaration from where `export` ends, without the comment before it and what else is declared with it */
function textOf(node: ts.Declaration): string {
  if (ts.isVariableDeclaration(node)) return `const ${node.getText()};`;
  return node.getText().replace(/^export (declare )?/, "");
}

/** The declaration of a name. A constant whose type is private, and which can be called, is shown with its parameters and result. */
function declarationOf(
  name: string,
  symbol: ts.Symbol,
  declarations: ts.Declaration[],
  checker: ts.TypeChecker,
): string {
  const first = declarations[0]!;
  const hidden = ts.isVariableDeclaration(first) && first.type && ts.isTypeReferenceNode(first.type);
  const signatures = hidden ? checker.getTypeOfSymbol(symbol).getCallSignatures() : [];
  if (signatures.length === 0) return declarations.map(textOf).join("\n");
  return signatures.map((one) => `function ${name}${checker.signatureToString(one, first)};`).join("\n");
}

/** Constants that are functions are so for those who read. */
function kindOf(symbol: ts.Symbol, checker: ts.TypeChecker): Entry["kind"] {
  const kind = KINDS.find(([flag]) => symbol.flags & flag)?.[1] ?? "type";
  if (kind !== "constant") return kind;
  return checker.getTypeOfSymbol(symbol).getCallSignatures().length > 0 ? "function" : "constant";
}

/** A comment that belongs to the file is not that of the first export. */
const isOfFile = (node: ts.Declaration, comment: string): boolean => {
  const [first] = ts.getLeadingCommentRanges(node.getSourceFile().text, 0) ?? [];
  return first !== undefined && comment !== "" && commentOfFile(node.getSourceFile()) === comment;
};

/** The comment of a name: that of its file if the name is all that the file exports, as of `stop` */
function ownComment(first: ts.Declaration, count: number, comment: string): string {
  if (ts.isSourceFile(first)) return commentOfFile(first);
  return isOfFile(first, comment) && count === 1 && isFirst(first) ? "" : comment;
}

const plain = (comment: string): string =>
  comment
    .replace(/^\/\*\*|\*\/$/g, "")
    .replace(/^[ \t]*\* ?/gm, "")
    .trim();

function commentOfFile(file: ts.SourceFile): string {
  const [first] = ts.getLeadingCommentRanges(file.text, 0) ?? [];
  return first ? plain(file.text.slice(first.pos, first.end)) : "";
}

const sourceOf = (root: string, file: string): string =>
  relative(root, file)
    .split(sep)
    .join("/")
    .replace("/dist/types/", "/src/")
    .replace(/\.d\.ts$/, ".ts");

/** The names of every entry of the package expen that its package.json exports, but those of the command line */
export function readReference(root: string): Module[] {
  const folder = join(root, "packages/expen");
  const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    exports: Record<string, { types?: string }>;
  };
  const files = Object.values(exports)
    .flatMap(({ types }) => types ?? [])
    .filter((types) => !types.includes("/cli/"))
    .map((types) => join(folder, types));
  const missing = files.find((file) => !existsSync(file));
  if (missing) throw new Error(`${relative(root, missing)} is not there; run "npm run build" first.`);
  const program = ts.createProgram(files, {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    lib: ["lib.es2023.d.ts", "lib.dom.d.ts"],
    types: [],
    skipLibCheck: true,
  });
  const checker = program.getTypeChecker();
  const read = (path: string): Module => {
    const file = program.getSourceFile(path)!;
    const short = basename(path, ".d.ts") === "index" ? "expen" : basename(path, ".d.ts");
    const shown = readExamples(root, short);
    const entries = checker.getExportsOfModule(checker.getSymbolAtLocation(file)!).map((exported): Entry => {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      const declarations = (symbol.declarations ?? []).filter((one) => !ts.isModuleDeclaration(one));
      const name = exported.getName();
      const comment = ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim();
      const tags = symbol.getJsDocTags(checker).filter((tag) => tag.name === "example");
      const own = tags.map((tag) => ts.displayPartsToString(tag.text).replace(/^```\w*\n|\n?```$/g, ""));
      const first = declarations[0]!;
      return {
        name,
        kind: kindOf(symbol, checker),
        declaration: declarationOf(name, symbol, declarations, checker),
        comment: ownComment(first, declarations.length, comment),
        examples: [...own.map((code) => ({ code })), ...(shown.get(name) ?? [])],
        file: sourceOf(root, first.getSourceFile().fileName),
      };
    });
    return {
      name: short === "expen" ? short : `expen/${short}`,
      short,
      comment: commentOfFile(file),
      entries: entries.sort((a, b) => a.name.localeCompare(b.name, "en", { sensitivity: "base" })),
    };
  };
  return files.map(read);
}

/** Whether no statement but imports and exports from elsewhere stands before it */
function isFirst(node: ts.Declaration): boolean {
  const whole = ts.isVariableDeclaration(node) ? node.parent.parent : node;
  const before = node.getSourceFile().statements.filter((one) => one.end <= whole.pos);
  return before.every((one) => ts.isImportDeclaration(one) || ts.isExportDeclaration(one)) && before.length === 0;
}

/** The examples of reference/NAME.ts, where there is such a file */
function readExamples(root: string, short: string): Map<string, Example[]> {
  const folder = join(root, "site/reference");
  if (!existsSync(folder) || !readdirSync(folder).includes(`${short}.ts`)) return new Map();
  return examplesOf(readFileSync(join(folder, `${short}.ts`), "utf8"));
}

/** Functions and constants that no example shows: types are shown by the functions that take them. */
export const withoutExample = (modules: readonly Module[]): string[] =>
  modules.flatMap(({ name, entries }) =>
    entries
      .filter(({ kind, examples }) => kind !== "type" && examples.length === 0)
      .map((one) => `${name}: ${one.name}`),
  );

export const withoutComment = (modules: readonly Module[]): string[] =>
  modules.flatMap(({ name, entries }) =>
    entries.filter(({ comment }) => comment === "").map((e) => `${name}: ${e.name}`),
  );

/** Options of functions that say nothing of themselves: "expen/apps: PcaOptions.p" */
export const optionsWithoutComment = (modules: readonly Module[]): string[] =>
  modules.flatMap(({ name, entries }) =>
    entries
      .filter((one) => one.kind === "type" && one.name.endsWith("Options"))
      .flatMap(({ name: type, declaration }) =>
        membersWithoutComment(declaration).map((member) => `${name}: ${type}.${member}`),
      ),
  );

/** The members of an interface that no comment stands before */
function membersWithoutComment(declaration: string): string[] {
  const file = ts.createSourceFile("declaration.ts", declaration, ts.ScriptTarget.ES2022, true);
  const members = file.statements.flatMap((one) => (ts.isInterfaceDeclaration(one) ? [...one.members] : []));
  return members.filter((one) => ts.getJSDocCommentsAndTags(one).length === 0).map((one) => one.name?.getText() ?? "");
}
