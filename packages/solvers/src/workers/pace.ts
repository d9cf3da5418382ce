/** How long workers take for a problem, seen from their answers: the number of problems to send next, and whether more workers pay. */

/** Milliseconds of a group of problems: long beside a message, short beside the patience of someone who watches the progress */
const GROUP = 100;
/** Milliseconds of work before the pace of short problems says anything, as code is compiled and optimised while it runs */
const WARM = 500;
/** Other workers pay where the rest takes one worker this many times as long as its start. */
const WORTH = 2;

export interface Pace {
  /** the number of problems to send next, of those that are left for so many workers */
  group(left: number, workers: number): number;
  /** a worker has solved so many problems */
  took(milliseconds: number, problems: number): void;
  /** whether more workers pay for the problems that are left, so long after the first worker was opened */
  pays(left: number, milliseconds: number): boolean;
}

export function pace(): Pace {
  let [each, worked, solved] = [Number.POSITIVE_INFINITY, 0, 0];
  return {
    // in the end smaller groups, so that the workers end together
    group: (left, workers) => Math.max(1, Math.min(Math.floor(GROUP / each), Math.ceil(left / (2 * workers)))),
    took(milliseconds, problems) {
      each = milliseconds / problems;
      worked += milliseconds;
      solved += problems;
    },
    pays(left, milliseconds) {
      // it took longer than by its present pace: it was opened, and its code was not yet compiled
      const start = milliseconds - solved * each;
      return (each > GROUP || worked > WARM) && left * each > WORTH * start;
    },
  };
}
