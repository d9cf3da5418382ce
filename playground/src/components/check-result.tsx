/** The result of the check of an objective that the visitor writes. */
import type { CodeCheck } from "../protocol.js";

interface Checked {
  /** whether the code came with a link and has not run */
  foreign: boolean;
  check?: CodeCheck;
  busy: boolean;
  lost: string;
  /** the line of the mistake, for a message that does not name one */
  line: number;
}

export function CheckResult({ foreign, check, busy, lost, line: found }: Checked) {
  if (foreign) {
    return (
      <p class="check" role="status">
        <b>This objective came with a link and has not run yet.</b> Read it; Run starts it in a worker without access to
        this page.
      </p>
    );
  }
  if (lost) {
    return (
      <p class="check error" role="alert">
        {lost}
      </p>
    );
  }
  if (!check || (busy && !check)) {
    return (
      <p class="check" role="status">
        Checking …
      </p>
    );
  }
  if (check.error) {
    const line = check.error.line || found;
    return (
      <p class="check error" role="alert">
        {line > 0 && <b>Line {line}: </b>}
        {check.error.text}
      </p>
    );
  }
  return (
    <p class={check.passed ? "check good" : "check bad"} role="status">
      <b>{check.passed ? "✓" : "!"}</b> {check.text}
    </p>
  );
}
