/** The editor as a component: a plain text field until the real one has been loaded, and where it cannot be. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { Editor } from "../editor/codemirror.js";
import type { CodeMessage } from "../protocol.js";

interface Props {
  text: string;
  names: string[];
  message: CodeMessage | null;
  changed(text: string): void;
  /** where the parser stumbles, for a message without a line; 0 elsewhere */
  located(line: number): void;
}

export function CodeEditor({ text, names, message, changed, located }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const editorRef = useRef<Editor>(undefined);
  const [loaded, setLoaded] = useState(false);
  const callback = useRef(changed);
  callback.current = changed;

  useEffect(() => {
    let isCurrent = true;
    import("../editor/codemirror.js").then(
      ({ editor }) => {
        if (!isCurrent || !box.current) return;
        setLoaded(true);
        editorRef.current = editor(box.current, {
          text,
          names,
          label: "Your objective",
          changed: (next) => callback.current(next),
        });
      },
      () => {},
    );
    return () => {
      isCurrent = false;
      editorRef.current?.destroy();
      editorRef.current = undefined;
    };
  }, []);

  useEffect(() => {
    if (editorRef.current && editorRef.current.text() !== text) editorRef.current.replace(text);
  }, [text]);

  useEffect(() => {
    const editor = editorRef.current;
    if (!editor) return;
    const place = message?.line === 0 ? editor.firstSyntaxError() : undefined;
    located(place?.line ?? 0);
    editor.show(message && { ...message, ...place });
  }, [message, loaded]);

  return (
    <div class="editor" ref={box}>
      {!loaded && (
        <textarea
          aria-label="Your objective"
          rows={9}
          style={{
            width: "100%",
            border: 0,
            font: "14px ui-monospace, monospace",
            background: "none",
            color: "inherit",
          }}
          value={text}
          onInput={(event) => changed(event.currentTarget.value)}
        />
      )}
    </div>
  );
}
