/** One line on what happens now, read aloud where there is a reader. */
import { seconds } from "../format.js";
import type { RunState } from "../run-state.js";

/** `idle` says what the visitor has to do before the first run. */
export function RunStatus({ run, idle = "Press Run." }: { run: RunState; idle?: string }) {
  const { phase, course, error, lanes, wall } = run;
  const done = lanes.value.filter((l) => l.result || l.error).length;
  const words = {
    idle,
    starting: "Setting the problem up …",
    running: `Running: ${done} of ${lanes.value.length} have ended.`,
    paused: "Paused. Step goes one iteration further.",
    done: error.value ? "" : `Done${wall.value > 0 ? ` in ${seconds(wall.value)}, certificates included` : ""}.`,
  }[phase.value];
  return (
    <>
      {error.value && (
        <p class="error" role="alert">
          {error.value}
        </p>
      )}
      <p class="status" role="status" data-phase={phase.value} data-wall={wall.value}>
        {words}
        {course.value && (
          <>
            {" "}
            <span class="formula">{course.value.title}</span>, X{" "}
            {course.value.on.startsWith("stiefel") ? `${course.value.n}×${course.value.p}` : `on ${course.value.on}`};{" "}
            {course.value.engine}.
          </>
        )}
      </p>
      {course.value?.notes.map((note) => (
        <p key={note} class="note">
          {note}
        </p>
      ))}
    </>
  );
}
