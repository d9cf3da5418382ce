/** A run with a constraint beside the manifold, step by step as other runs are */
import { bounds, nonnegative, type Result } from "expen";
import { minimizeOn, type StiefelOptions } from "expen/methods";
import type { State } from "expen/types";
import type { SubjectSpec } from "../protocol.js";
import type { OpenedCourse } from "./course.js";

export const subjectOf = (spec: SubjectSpec): ReturnType<typeof bounds> =>
  spec.kind === "nonnegative" ? nonnegative() : bounds(spec.lower, spec.upper);

/** The states of a run that waits at each of them, until the next one is asked for */
export async function* constrainedSteps(
  { manifold, bound, objective }: OpenedCourse,
  o: StiefelOptions,
  spec: SubjectSpec,
): AsyncGenerator<State, Result, void> {
  let arrive: (state?: State) => void = () => {};
  let goOn: () => void = () => {};
  const result = minimizeOn(
    { bound, on: manifold },
    objective,
    { ...o, subjectTo: [subjectOf(spec)] } as StiefelOptions,
    {
      onState: (state) =>
        new Promise<void>((resolve) => {
          goOn = resolve;
          arrive(state);
        }),
    },
  );
  for (;;) {
    const next = await new Promise<State | undefined>((resolve, reject) => {
      arrive = resolve;
      result.then(() => resolve(undefined), reject);
      goOn();
    });
    if (!next) return result;
    yield next;
  }
}
