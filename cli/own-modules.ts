/** The entries of this package by their names: what a user's file imports of `expen` is this very package, installed or not. */
export const ownModules = async (): Promise<Record<string, unknown>> => ({
  expen: await import("../src/index.js"),
  "expen/apps": await import("../src/entries/apps.js"),
  "expen/data": await import("../src/entries/data.js"),
  "expen/engines": await import("../src/entries/engines.js"),
  "expen/methods": await import("../src/entries/methods.js"),
  "expen/penalty": await import("../src/entries/penalty.js"),
  "expen/problems": await import("../src/entries/problems.js"),
  "expen/rivals": await import("../src/entries/rivals.js"),
  "expen/tape": await import("../src/entries/tape.js"),
});
