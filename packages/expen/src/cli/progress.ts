import type { State } from "@expen/core";
import { duration, small, sparkline, value } from "./format.js";

interface Progress {
  see(s: State): void;
  /** Takes the live line away. */
  end(): void;
}

const LIVE_MILLISECONDS = 100;
const PIPE_MILLISECONDS = 3000;
const KEPT = 4096;

/**
 * Where a run stands, on stderr: one line that is rewritten on a terminal, a line every few seconds on a pipe, nothing if quiet.
 * `feasibilityOf` costs a product and is called only when a line is written.
 */
export function progress(
  title: string,
  {
    quiet = false,
    constraint,
    feasibilityOf,
  }: { quiet?: boolean; constraint: string; feasibilityOf?: (s: State) => number },
): Progress {
  const { stderr } = process;
  const live = Boolean(stderr.isTTY);
  if (quiet) return { see: () => undefined, end: () => undefined };
  let gradients: number[] = [];
  let stride = 1;
  let last = performance.now();
  let shown = false;
  return {
    see(s) {
      if (s.k % stride === 0) gradients.push(s.gnorm);
      if (gradients.length >= KEPT) {
        // long runs: every second one is enough, and from now on only those are taken
        gradients = gradients.filter((_, i) => i % 2 === 0);
        stride *= 2;
      }
      const now = performance.now();
      if (now - last < (live ? LIVE_MILLISECONDS : PIPE_MILLISECONDS)) return;
      last = now;
      const feasibility = feasibilityOf ? `  ${constraint} ${small(feasibilityOf(s))}` : "";
      const numbers = `${title}  k ${s.k}  f ${value(s.f)}  ‖g‖ ${small(s.gnorm)}${feasibility}  ${duration(s.seconds)}`;
      if (live) {
        stderr.write(`\r\u001b[2K${`${numbers}  ${sparkline(gradients, 20)}`.slice(0, (stderr.columns ?? 120) - 1)}`);
        shown = true;
      } else stderr.write(`${numbers}\n`);
    },
    end() {
      if (shown) stderr.write("\r\u001b[2K");
      shown = false;
    },
  };
}
