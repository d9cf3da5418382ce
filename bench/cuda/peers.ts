/** The same problems by PyTorch and Geoopt on the same device: one Python process for each problem and tolerance. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

export interface Peer {
  readonly method: string;
  readonly status: string;
  /** absent where the method failed */
  readonly seconds: number | null;
  readonly evaluations: number | null;
  readonly gradient: number | null;
  readonly target: number | null;
}

const script = (): string =>
  process.env.EXPEN_TORCH_PEER ?? fileURLToPath(new URL("../../peers/torch_expen.py", import.meta.url));

/** `limit`: seconds after which a method is stopped */
export function peersOn(problem: string, n: number, p: number, relative: number, limit: number): Peer[] {
  const args = [script(), problem, String(n), String(p), String(relative), String(limit)];
  // a method without a time limit ends with its process; earlier results are kept
  const run = spawnSync("python3", args, { encoding: "utf8", timeout: Math.ceil(1000 * (30 + 7 * limit)) });
  if (run.status !== 0) console.log(`peers: ${run.error?.message ?? run.stderr.trim().split("\n").at(-1)}`);
  const lines = run.stdout?.split("\n").filter((line) => line.startsWith("{")) ?? [];
  return lines.map((line) => JSON.parse(line) as Peer);
}
