/** Programs as HTML with the classes of their tokens. Names that the reference has are links. */
import { javascriptLanguage, typescriptLanguage } from "@codemirror/lang-javascript";
import { classHighlighter, highlightCode } from "@lezer/highlight";

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
export const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (c) => ESCAPES[c]!);

const languages: Readonly<Record<string, typeof typescriptLanguage>> = {
  ts: typescriptLanguage,
  typescript: typescriptLanguage,
  js: javascriptLanguage,
  javascript: javascriptLanguage,
  mjs: javascriptLanguage,
};

/** `linkOf`: the address of a name in the reference */
export function highlight(code: string, language: string, linkOf?: (name: string) => string | undefined): string {
  const parser = languages[language]?.parser;
  if (!parser) return escapeHtml(code);
  let html = "";
  const put = (text: string, classes: string): void => {
    const link = /tok-(typeName|variableName)/.test(classes) ? linkOf?.(text) : undefined;
    const inside = classes ? `<span class="${classes}">${escapeHtml(text)}</span>` : escapeHtml(text);
    html += link ? `<a href="${escapeHtml(link)}">${inside}</a>` : inside;
  };
  highlightCode(code, parser.parse(code), classHighlighter, put, () => (html += "\n"));
  return html;
}
