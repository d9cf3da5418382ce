/** The editor. Loaded when it is looked at, because it weighs more than the rest of the page. */
import { autocompletion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { javascript } from "@codemirror/lang-javascript";
import { bracketMatching, HighlightStyle, syntaxHighlighting, syntaxTree } from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { CodeMessage } from "../protocol.js";

export interface Editor {
  text(): string;
  replace(text: string): void;
  show(message: CodeMessage | null): void;
  /** where the parser stumbles first, for messages that have no place of their own */
  firstSyntaxError(): { line: number; column: number } | undefined;
  destroy(): void;
}

interface Options {
  text: string;
  names: string[];
  label: string;
  changed(text: string): void;
}

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--accent)" },
  { tag: [tags.number, tags.string], color: "var(--good)" },
  { tag: tags.comment, color: "var(--muted)", fontStyle: "italic" },
  { tag: tags.function(tags.variableName), color: "var(--bad)" },
]);

const theme = EditorView.theme({
  "&": { color: "var(--ink)", backgroundColor: "var(--card)", fontSize: "14px" },
  "&.cm-focused": { outline: "none" },
  ".cm-content": {
    fontFamily: "ui-monospace, Menlo, Consolas, monospace",
    caretColor: "var(--ink)",
    minHeight: "190px",
  },
  ".cm-gutters": { backgroundColor: "var(--paper)", color: "var(--muted)", border: "none" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--accent) 8%, transparent)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": {
    backgroundColor: "color-mix(in srgb, var(--accent) 28%, transparent)",
  },
  ".cm-tooltip": { backgroundColor: "var(--card)", border: "1px solid var(--line)", color: "var(--ink)" },
});

export function editor(parent: HTMLElement, { text, names, label, changed }: Options): Editor {
  const complete = (context: CompletionContext): CompletionResult | null => {
    const word = context.matchBefore(/\w+/);
    if (!word || (word.from === word.to && !context.explicit)) return null;
    return { from: word.from, options: names.map((name) => ({ label: name, type: "function" })) };
  };
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        bracketMatching(),
        highlightActiveLine(),
        javascript(),
        syntaxHighlighting(colours),
        autocompletion({ override: [complete] }),
        lintGutter(),
        theme,
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": label }),
        // Tab moves on to the next control: the editor is no trap for the keyboard
        keymap.of([...defaultKeymap, ...historyKeymap]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) changed(update.state.doc.toString());
        }),
      ],
    }),
  });
  return {
    text: () => view.state.doc.toString(),
    replace(next) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } });
    },
    show(message) {
      if (!message || message.line < 1 || message.line > view.state.doc.lines) {
        view.dispatch(setDiagnostics(view.state, []));
        return;
      }
      const line = view.state.doc.line(message.line);
      const from = Math.min(line.to, line.from + Math.max(0, message.column - 1));
      view.dispatch(
        setDiagnostics(view.state, [{ from, to: Math.max(from, line.to), severity: "error", message: message.text }]),
      );
    },
    firstSyntaxError() {
      let position: number | undefined;
      syntaxTree(view.state).iterate({
        enter: (node) => {
          if (node.type.isError && position === undefined) position = node.from;
        },
      });
      if (position === undefined) return undefined;
      const line = view.state.doc.lineAt(position);
      return { line: line.number, column: position - line.from + 1 };
    },
    destroy: () => view.destroy(),
  };
}
