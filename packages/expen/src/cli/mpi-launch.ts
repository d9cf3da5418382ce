/** The mpirun commands of this machine, and how to run programs with them. */
import { spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

export interface Launcher {
  by: "Open MPI" | "MPICH";
  command: string;
}

const COMMANDS = ["mpirun.openmpi", "mpirun.mpich", "mpirun"];

/** Open MPI refuses to run as root, and with more ranks than cores, without these variables. */
export const ALLOWED = {
  OMPI_ALLOW_RUN_AS_ROOT: "1",
  OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1",
  OMPI_MCA_rmaps_base_oversubscribe: "1",
};

/** One launcher for each MPI that is installed */
export function launchers(): Launcher[] {
  const installed: Launcher[] = [];
  for (const command of COMMANDS) {
    const { stdout } = spawnSync(command, ["--version"], { encoding: "utf8", env: { ...process.env, ...ALLOWED } });
    const by = /Open ?MPI|OpenRTE/.test(stdout) ? "Open MPI" : /HYDRA|MPICH/i.test(stdout) ? "MPICH" : undefined;
    if (by && !installed.some((l) => l.by === by)) installed.push({ by, command });
  }
  return installed;
}

export interface Launched {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs `node script …args` on `ranks` processes. */
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

/** The path of a script in the folder of this file */
export const beside = (name: string): string => fileURLToPath(new URL(`./${name}`, import.meta.url));
