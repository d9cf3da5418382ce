/** Link, JSON, SVG, PNG. */
import { useState } from "preact/hooks";
import { shareLink } from "../address.js";
import type { ChartContent } from "../chart/series.js";
import type { RunState } from "../run-state.js";
import { resultDocument, saveJson, savePng, saveSvg } from "../save-files.js";
import { dark } from "../theme.js";

export function KeepBar({ run, charts, problem }: { run: RunState; charts: () => ChartContent[]; problem: string }) {
  const [copied, setCopied] = useState("");
  const empty = run.lanes.value.every((l) => l.points.length === 0);
  const copy = async (): Promise<void> => {
    const link = shareLink();
    try {
      await navigator.clipboard.writeText(link);
      setCopied("Copied.");
    } catch {
      history.replaceState(null, "", link);
      setCopied("The link is in the address bar.");
    }
    setTimeout(() => setCopied(""), 3000);
  };
  return (
    <div class="keep" role="toolbar" aria-label="Keep and share">
      <button type="button" onClick={copy}>
        Copy link
      </button>
      <button
        type="button"
        disabled={empty}
        onClick={() => saveJson(`expen-${problem}`, resultDocument(run, problem, shareLink()))}
      >
        JSON
      </button>
      <button type="button" disabled={empty} onClick={() => saveSvg(`expen-${problem}`, charts(), dark.value)}>
        SVG
      </button>
      <button type="button" disabled={empty} onClick={() => savePng(`expen-${problem}`, charts(), dark.value)}>
        PNG
      </button>
      <span role="status">{copied}</span>
    </div>
  );
}
