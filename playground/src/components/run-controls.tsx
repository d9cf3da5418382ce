/** Run, pause, step, stop. */
import type { RaceSpec } from "../protocol.js";
import { begin, command, type RunState } from "../run-state.js";

export function RunControls({
  run,
  spec,
  disabled = false,
}: {
  run: RunState;
  spec: () => RaceSpec;
  disabled?: boolean;
}) {
  const phase = run.phase.value;
  const live = phase === "starting" || phase === "running" || phase === "paused";
  return (
    <div class="controls" role="toolbar" aria-label="The run">
      {phase === "paused" ? (
        <button type="button" class="primary" onClick={() => command(run, "run")}>
          Continue
        </button>
      ) : (
        <button type="button" class="primary" disabled={disabled || live} onClick={() => begin(run, spec())}>
          Run
        </button>
      )}
      <button type="button" disabled={phase !== "running"} onClick={() => command(run, "pause")}>
        Pause
      </button>
      <button
        type="button"
        disabled={disabled || phase === "starting"}
        onClick={() => (live ? command(run, "step") : begin(run, spec(), "step"))}
      >
        Step
      </button>
      <button type="button" disabled={!live} onClick={() => command(run, "stop")}>
        Stop
      </button>
    </div>
  );
}
