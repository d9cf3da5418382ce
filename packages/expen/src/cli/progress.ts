import type { State } from "@expen/core";
import { duration, small, sparkline, value } from "./format.js";

interface Progress {
  see(s: State): void;
  /** Erases the line. */
  end(): void;
}

/** ms between two updates of the line on a terminal: ten a second look continuous */
const LIVE_MILLISECONDS = 100;
/** ms between two lines on a pipe, so that a log of a long run stays short */
const PIPE_MILLISECONDS = 3000;
/** number of gradient norms in memory; the sparkline shows twenty */
const MAX_GRADIENTS = 4096;

/**
 * Shows the progress of a run on stderr: on a terminal one line that is rewritten, on a pipe a line every few seconds, nothing if quiet.
 * `feasibilityOf` costs a product; it is called only when a line is written.
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
  let isShown = false;
  return {
    see(s) {
      if (s.k % stride === 0) gradients.push(s.gnorm);
      if (gradients.length >= MAX_GRADIENTS) {
        // a long run: drop every second norm, and record half as often from now on
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
        isShown = true;
      } else stderr.write(`${numbers}\n`);
    },
    end() {
      if (isShown) stderr.write("\r\u001b[2K");
      isShown = false;
    },
  };
}
