/** Calls the garbage collector, which does not see memory outside its heap. A build for browsers takes collect-garbage-browser.ts. */
let collector: (() => void) | undefined;

export function collectGarbage(): void {
  collector ??= findCollector();
  collector();
}

function findCollector(): () => void {
  const doNothing = (): void => {};
  try {
    const builtin: typeof process.getBuiltinModule | undefined = globalThis.process?.getBuiltinModule;
    if (!builtin) return doNothing;
    builtin("node:v8").setFlagsFromString("--expose-gc");
    return builtin("node:vm").runInNewContext("gc") as () => void;
  } catch {
    return doNothing;
  }
}
