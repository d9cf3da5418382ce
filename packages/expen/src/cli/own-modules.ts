/** The entries of this package by name: in a user's file `import … from "expen"` loads this package, installed or not. */
export const ownModules = async (): Promise<Record<string, unknown>> => ({
  expen: await import("../index.js"),
  "expen/apps": await import("../apps.js"),
  "expen/data": await import("../data.js"),
  "expen/eigen": await import("../eigen.js"),
  "expen/engines": await import("../engines.js"),
  "expen/manifolds": await import("../manifolds.js"),
  "expen/methods": await import("../methods.js"),
  "expen/penalty": await import("../penalty.js"),
  "expen/plot": await import("../plot.js"),
  "expen/problems": await import("../problems.js"),
  "expen/rivals": await import("../rivals.js"),
  "expen/tape": await import("../tape.js"),
  "expen/types": await import("../types.js"),
  "expen/workers": await import("../workers.js"),
});
