/** Where in the user's own file an operation of the tape was called. */

/** Frames of a stack; V8 keeps 10, which operations made of others exceed */
const FRAMES = 60;

/** The locations of the stack, the innermost first, without "file://" */
function places(): string[] {
  const usual = Error.stackTraceLimit;
  Error.stackTraceLimit = FRAMES;
  const { stack = "" } = new Error();
  Error.stackTraceLimit = usual;
  return stack.split("\n").flatMap((frame) => {
    const place = /\(?((?:file:\/\/|[a-z]+:\/\/|[A-Za-z]:[\\/]|\/)[^()]*:\d+:\d+)\)?$/.exec(frame.trim())?.[1];
    return place ? [place.replace(/^file:\/\//, "")] : [];
  });
}

/** The folder of this file as stacks name it, since bundlers rewrite import.meta.url */
const here = places()[0]?.replace(/[^/\\]*$/, "");

/** " at file:line:column" of the first stack frame outside of this folder, or "" if stacks cannot be read */
export function userLine(): string {
  const place = here && places().find((place) => !place.startsWith(here));
  return place ? ` at ${place}` : "";
}
