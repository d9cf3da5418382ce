// Installs the contenders of the benchmarks beside the project, in .expen/: the pinned Python packages and nlopt-js.
// `npm run bench:setup -- --torch` adds Geoopt on PyTorch (several GB), `-- --pyscf` PySCF for the suite hartree-fock.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const python = join(root, ".expen/peers/bin/python");

function step(title, command, args) {
  console.error(title);
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ["ignore", 2, 2] });
  if (status === 0) return true;
  console.error(
    `bench:setup: '${command} ${args.join(" ")}' failed${error ? ` (${error.message})` : "; its output is above"}.`,
  );
  process.exitCode = 1;
  return false;
}

const install = (file) =>
  step(`Installing ${file} …`, python, ["-m", "pip", "install", "--quiet", "-r", `bench/peers/${file}`]);
if (
  existsSync(python) ||
  step("Making .expen/peers …", process.env.EXPEN_PYTHON ?? "python3", ["-m", "venv", ".expen/peers"])
) {
  install("requirements.txt");
  step("Writing measured data to .expen/data …", python, ["bench/peers/measured_data.py", ".expen/data"]);
  step("Writing sparse matrices to .expen/data …", python, ["bench/peers/sparse_matrices.py", ".expen/data"]);
  if (process.argv.includes("--torch")) install("requirements-torch.txt");
  if (process.argv.includes("--pyscf")) install("requirements-pyscf.txt");
}
step("Installing nlopt-js …", "npm", [
  "install",
  "--prefix",
  ".expen/nlopt",
  "--ignore-scripts",
  "--no-audit",
  "--no-fund",
  "nlopt-js@0.1.1",
]);
