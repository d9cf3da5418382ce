/** Node's garbage collector, called at once, for memory that it does not see. A build for browsers takes collect-garbage-browser.ts. */
let collector: (() => void) | undefined;

export function collectGarbage(): void {
  collector ??= find();
  collector();
}

function find(): () => void {
  const nothing = (): void => {};
  try {
    const builtin: typeof process.getBuiltinModule | undefined = globalThis.process?.getBuiltinModule;
    if (!builtin) return nothing;
    builtin("node:v8").setFlagsFromString("--expose-gc");
    return builtin("node:vm").runInNewContext("gc") as () => void;
  } catch {
    return nothing;
  }
}
