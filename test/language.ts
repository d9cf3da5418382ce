/** The language of a source: names, comments and constants that docs/notation.md and CONTRIBUTING.md speak against. */
import ts from "typescript";

/** Participles, and one adverb, in the place of a noun or a verb */
const PARTICIPLES = new Set(
  (
    "asked brought chosen come drawn fallen felt found given gone grown heard held kept learned lost made meant met named " +
    "said seen sent shown spent taken there told wanted written"
  ).split(" "),
);
/** At the start of a comment, where a lower-case letter is usual, and of a sentence: "so" after a formula goes on with one. */
const HEADLESS = [/^(?:what|who|so|that which)\b/gi, /[.!?]\s+(?:What|Who|So|That which)\b/g, /\bnobody\b/gi];

/** Nodes with a name that is declared elsewhere */
const NAMES_OF_OTHERS = new Set([
  ts.SyntaxKind.PropertyAssignment,
  ts.SyntaxKind.PropertyAccessExpression,
  ts.SyntaxKind.ShorthandPropertyAssignment,
  ts.SyntaxKind.ImportSpecifier,
  ts.SyntaxKind.ExportSpecifier,
]);

export interface Finding {
  readonly line: number;
  readonly text: string;
}

const parse = (text: string): ts.SourceFile => ts.createSourceFile("a.ts", text, ts.ScriptTarget.ES2022, true);
const lineAt = (text: string, at: number): number => text.slice(0, at).split("\n").length;

/** Variables, parameters, functions, members and types that are named by a participle */
export function participles(text: string): Finding[] {
  const findings: Finding[] = [];
  const visit = (node: ts.Node): void => {
    const { name } = node as ts.NamedDeclaration;
    if (name && ts.isIdentifier(name) && !NAMES_OF_OTHERS.has(node.kind))
      if (PARTICIPLES.has(name.text.toLowerCase()))
        findings.push({ line: lineAt(text, name.getStart()), text: name.text });
    ts.forEachChild(node, visit);
  };
  visit(parse(text));
  return findings;
}

/** Sentences of comments that begin with What, Who, So or That which, or that contain "nobody" */
export function headlessSentences(text: string): Finding[] {
  const comments = text.matchAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*(?:\n[ \t]*\/\/.*)*/gm);
  return [...comments].flatMap(({ 0: comment, index }) => {
    const words = comment.replace(/^\/\*+\s*|\s*\*\/$|^[ \t]*(\/\/|\*) ?/gm, "");
    // a blank line ends a sentence
    const sentences = words.trim().replace(/\n\s*\n/g, ". ");
    const matches = HEADLESS.flatMap((pattern) => [...sentences.matchAll(pattern)]);
    return matches.map((m) => ({
      line: lineAt(text, index),
      text: sentences.slice(m.index, m.index + 60).replace(/\s+/g, " "),
    }));
  });
}

/** Constants of a module that are numbers, or records and lists of numbers, without a doc comment */
export function bareConstants(text: string): Finding[] {
  const source = parse(text);
  return source.statements.flatMap((statement) => {
    if (!ts.isVariableStatement(statement) || !(statement.declarationList.flags & ts.NodeFlags.Const)) return [];
    const numeric = statement.declarationList.declarations.filter((d) => d.initializer && isNumeric(d.initializer));
    if (numeric.length === 0 || ts.getJSDocCommentsAndTags(statement).length > 0) return [];
    return [{ line: lineAt(text, statement.getStart()), text: numeric.map((d) => d.name.getText()).join(", ") }];
  });
}

function isNumeric(node: ts.Expression): boolean {
  if (ts.isNumericLiteral(node)) return true;
  if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node) || ts.isParenthesizedExpression(node))
    return isNumeric(node.expression);
  if (ts.isPrefixUnaryExpression(node)) return isNumeric(node.operand);
  if (ts.isBinaryExpression(node)) return isNumeric(node.left) && isNumeric(node.right);
  const values = ts.isObjectLiteralExpression(node)
    ? node.properties.map((property) => (ts.isPropertyAssignment(property) ? property.initializer : undefined))
    : ts.isArrayLiteralExpression(node)
      ? node.elements
      : [];
  return values.length > 0 && values.every((value) => value && isNumeric(value));
}
