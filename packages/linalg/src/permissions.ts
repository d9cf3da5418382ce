/** What the host lets this program do. Deno alone keeps permissions: to try without one stops the program, or asks its user. */

type Permission =
  | { name: "env"; variable: string }
  | { name: "sys"; kind: "systemMemoryInfo" }
  | { name: "read"; path: string }
  | { name: "ffi" };

interface Deno {
  permissions: { querySync(what: Permission): { state: "granted" | "denied" | "prompt" } };
}

export function isPermitted(what: Permission): boolean {
  const { Deno: deno } = globalThis as { Deno?: Deno };
  return deno?.permissions === undefined || deno.permissions.querySync(what).state === "granted";
}
