/** Where in the user's own file an operation of the tape was called. */

const here = new URL(".", import.meta.url).href.replace(/^file:\/\//, "");

/** " at file:line:column" of the first stack frame outside this folder, or "" where stacks cannot be read. */
export function userLine(): string {
  const frames = (new Error().stack ?? "").split("\n").slice(1);
  for (const frame of frames) {
    const place = /\(?((?:file:\/\/|[a-z]+:\/\/|[A-Za-z]:[\\/]|\/)[^()]*:\d+:\d+)\)?$/.exec(frame.trim())?.[1];
    if (place && !place.replace(/^file:\/\//, "").startsWith(here)) return ` at ${place.replace(/^file:\/\//, "")}`;
  }
  return "";
}
