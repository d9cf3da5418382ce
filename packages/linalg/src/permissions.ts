/** Permissions of the host. Only Deno has them: an attempt without one stops the program, or prompts its user. */

type Permission =
  | { name: "env"; variable: string }
  | { name: "sys"; kind: "systemMemoryInfo" }
  | { name: "read"; path: string }
  | { name: "ffi" };

interface Deno {
  permissions: { querySync(permission: Permission): { state: "granted" | "denied" | "prompt" } };
}

export function isPermitted(permission: Permission): boolean {
  const { Deno: deno } = globalThis as { Deno?: Deno };
  return deno?.permissions === undefined || deno.permissions.querySync(permission).state === "granted";
}
