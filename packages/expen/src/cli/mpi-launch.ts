/** The mpirun commands of this machine, and programs under them. */
import { spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

export interface Launcher {
  by: "Open MPI" | "MPICH";
  command: string;
}

const COMMANDS = ["mpirun.openmpi", "mpirun.mpich", "mpirun"];

/** Open MPI refuses root and more ranks than cores, unless it is told. */
export const ALLOWED = {
  OMPI_ALLOW_RUN_AS_ROOT: "1",
  OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1",
  OMPI_MCA_rmaps_base_oversubscribe: "1",
};

/** One for each MPI that is installed */
export function launchers(): Launcher[] {
  const found: Launcher[] = [];
  for (const command of COMMANDS) {
    const { stdout } = spawnSync(command, ["--version"], { encoding: "utf8", env: { ...process.env, ...ALLOWED } });
    const by = /Open ?MPI|OpenRTE/.test(stdout) ? "Open MPI" : /HYDRA|MPICH/i.test(stdout) ? "MPICH" : undefined;
    if (by && !found.some((l) => l.by === by)) found.push({ by, command });
  }
  return found;
}

export interface Launched {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** `node script …args` on so many ranks; one core and one thread each */
export function launch(
  { command }: Launcher,
  ranks: number,
  script: string,
  args: readonly string[],
  { seconds = 120, env = {} }: { seconds?: number; env?: Record<string, string> } = {},
): Promise<Launched> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, ["-n", String(ranks), process.execPath, script, ...args], {
      env: { ...process.env, ...ALLOWED, ...env },
      timeout: 1000 * seconds,
    });
    let [stdout, stderr] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text) => (stderr += text));
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, stdout, stderr }));
  });
}

/** A script beside this one, as it is installed */
export const beside = (name: string): string => fileURLToPath(new URL(`./${name}`, import.meta.url));
