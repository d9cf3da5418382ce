/** `expen doctor`: the engines of this machine, their speed on the products of the paper, and advice for a faster one. */
import { availableParallelism } from "node:os";
import { type Availability, availableEngines, WORTH_A_DEVICE } from "@expen/engines";
import { isBlasHidden, libraryOfUser } from "@expen/engines/blas";
import type { Engine, Matrix } from "@expen/linalg";
import { random } from "@expen/linalg";
import pc from "picocolors";
import { coloured } from "./colours.js";
import { json as jsonText } from "./format.js";
import { beside, launch, launchers } from "./mpi-launch.js";
import type { MpiSpeed } from "./mpi-speed.js";

export interface DoctorReport {
  node: string;
  platform: string;
  cores: number;
  /** the engine of `--engine auto` for problems too small for a device; null if EXPEN_BLAS names a library that cannot be used */
  chosen: string | null;
  engines: EngineReport[];
  /** each MPI that is installed, and the time of a sum over two ranks */
  mpi: MpiReport[];
  /** sentences about how to get more speed; empty if nothing is missing */
  advice: string[];
}

interface MpiReport {
  name: string;
  command: string;
  sums?: MpiSpeed["sums"];
  error?: string;
}

interface EngineReport {
  name: string;
  available: boolean;
  description?: string;
  error?: string;
  speeds?: Speed[];
}

interface Speed {
  product: string;
  shape: string;
  gflops: number;
  milliseconds: number;
  /** number of rows that were measured, if fewer than the shape has; the time is scaled up from them */
  measuredRows?: number;
}

/** The products of the paper: X n×p, S p×p, A n×n */
const PRODUCTS = [
  { product: "XᵀX", n: 1000, p: 50 },
  { product: "X·S", n: 1000, p: 50 },
  { product: "XᵀX", n: 20000, p: 100 },
  { product: "X·S", n: 20000, p: 100 },
  { product: "A·X", n: 1000, p: 50 },
] as const;

/** Best time of a call in ms. The call is repeated for `atLeast` ms, and at least three times. */
function bestTime(call: () => void, atLeast: number): number {
  let best = Number.POSITIVE_INFINITY;
  const start = performance.now();
  for (let i = 0; i < 3 || performance.now() - start < atLeast; i++) {
    const before = performance.now();
    call();
    best = Math.min(best, performance.now() - before);
  }
  return best;
}

/** The js engine runs on a tenth of the rows of a large X: its speed does not depend on their number. */
function measure(E: Engine, { product, n, p }: (typeof PRODUCTS)[number], atLeast: number): Speed {
  const rows = E.name === "js" && n > 1000 ? n / 10 : n;
  const r = random(1, "doctor");
  const [X, S, Y] = [E.tall(rows, p), E.small(p, p), E.tall(rows, p)];
  E.write(X, r.normal);
  E.write(S, r.normal);
  const numbers = (): Matrix => ({ rows: n, cols: n, data: Float64Array.from({ length: n * n }, r.normal) });
  const A = product === "A·X" ? E.operator(numbers()) : undefined;
  const one = E.small(1, 1);
  const call = (): void => {
    if (A) A.apply(Y, X);
    else if (product === "XᵀX") E.gram(S, X);
    else E.mul(Y, X, S);
    // a device works asynchronously; reading a number waits until it has finished
    if (E.device) E.dot(one, one);
  };
  const before = E.counters.flops;
  call();
  const flops = E.counters.flops - before;
  const time = bestTime(call, atLeast);
  return {
    product,
    shape: A ? `${n}×${n} · ${n}×${p}` : `${n}×${p}`,
    gflops: Number((flops / time / 1e6).toPrecision(3)),
    milliseconds: Number(((time * n) / rows).toPrecision(3)),
    ...(rows < n && { measuredRows: rows }),
  };
}

const INSTALL: Partial<Record<NodeJS.Platform, string>> = {
  linux:
    'install OpenBLAS: "apt-get install libopenblas0-pthread" (Debian, Ubuntu), "dnf install openblas" (Fedora) or "conda install libopenblas"',
  darwin: 'use macOS\'s own Accelerate, which is always measured, or "brew install openblas"',
  win32: 'put libopenblas.dll, or mkl_rt.2.dll from "conda install mkl", on the PATH',
};

function advise(engines: Availability[]): string[] {
  const [blas, wasm] = ["blas", "wasm"].map((name) => engines.find((e) => e.name === name)!) as [
    Availability,
    Availability,
  ];
  const advice: string[] = [];
  if (isBlasHidden()) advice.push("EXPEN_BLAS=none hides the BLAS of this machine; unset it for the blas engine.");
  else if (blas.error?.message.includes("package koffi")) advice.push('For the blas engine run "npm install koffi".');
  else if (blas.error && libraryOfUser()) {
    advice.push("EXPEN_BLAS names a library that cannot be used: correct it, or unset it to try the known names.");
  } else if (blas.error) {
    const install = INSTALL[process.platform] ?? "install OpenBLAS";
    advice.push(`For the blas engine ${install}, or set EXPEN_BLAS to the path of a BLAS library.`);
  } else if (!blas.engine?.factor.library) {
    advice.push("This BLAS has no LAPACK, so factorizations run in JavaScript; OpenBLAS has both.");
  }
  if (wasm.engine && !wasm.engine.description.includes("relaxed")) {
    advice.push("The wasm engine is about 1.6 times as fast with relaxed SIMD, which Node 22 and later have.");
  }
  return advice;
}

/** Times sums over two ranks of each MPI: a number, a 50×50 matrix and a 500×500 one. */
async function examineMpi(): Promise<MpiReport[]> {
  const reports: MpiReport[] = [];
  for (const launcher of launchers()) {
    const { command, by } = launcher;
    const { stdout, stderr } = await launch(launcher, 2, beside("mpi-speed.js"), [], { seconds: 20 });
    try {
      const { name, sums } = JSON.parse(stdout) as MpiSpeed;
      reports.push({ name, command, sums });
    } catch {
      reports.push({
        name: by,
        command,
        error: stderr.match(/mpi: .*/)?.[0] ?? `${command} wrote no measurement`,
      });
    }
  }
  return reports;
}

/** Opens and measures every engine. */
async function examine(atLeast: number): Promise<DoctorReport> {
  const engines = await availableEngines();
  const refused = libraryOfUser() && !engines.find(({ name }) => name === "blas")!.engine;
  const report: DoctorReport = {
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    cores: availableParallelism(),
    chosen: refused ? null : engines.find(({ name, engine }) => engine && name !== "cuda")!.name,
    engines: engines.map(({ name, engine, error }) =>
      engine
        ? {
            name,
            available: true,
            description: engine.description,
            speeds: PRODUCTS.map((product) => measure(engine, product, atLeast)),
          }
        : { name, available: false, error: error!.message },
    ),
    mpi: await examineMpi(),
    advice: advise(engines),
  };
  for (const { engine } of engines) engine?.dispose();
  return report;
}

/** Prints the report, for people or (json) as one JSON document; each product is measured for `atLeast` ms. Returns the exit code. */
export async function doctor({
  json = false,
  atLeast = 200,
}: {
  json?: boolean;
  atLeast?: number;
} = {}): Promise<number> {
  const report = await examine(atLeast);
  process.stdout.write(json ? jsonText(report) : render(report, coloured));
  return 0;
}

export function render(report: DoctorReport, colour: boolean): string {
  const { bold, green, red, dim } = pc.createColors(colour);
  const lines = [`Node ${report.node} on ${report.platform}, ${report.cores} cores`, ""];
  for (const e of report.engines) {
    const mark = e.available ? green("✓") : red("✗");
    const large = e.name === "cuda" && e.available ? `  (auto takes this one from n·p = ${WORTH_A_DEVICE} on)` : "";
    const remark = dim(e.name === report.chosen ? "  (auto takes this one)" : large);
    lines.push(`${mark} ${bold(e.name)}  ${e.description ?? e.error?.replace(`${e.name}: `, "")}${remark}`);
  }
  const measured = report.engines.filter((e) => e.speeds);
  lines.push("", bold(`${"GFLOP/s".padEnd(28)}${measured.map((e) => e.name.padStart(9)).join(" ")}`));
  PRODUCTS.forEach((_, i) => {
    const { product, shape } = measured[0]!.speeds![i]!;
    const cells = measured.map((e) => {
      const { gflops, measuredRows } = e.speeds![i]!;
      return `${gflops.toPrecision(3).padStart(9)}${measuredRows ? "*" : " "}`;
    });
    lines.push(`${`${product}  ${shape}`.padEnd(28)}${cells.join("")}`.trimEnd());
  });
  if (measured.some((e) => e.speeds!.some((s) => s.measuredRows))) lines.push(dim("* measured on fewer rows"));
  lines.push("", bold("Several processes (--engine mpi)"));
  for (const { name, command, sums, error } of report.mpi) {
    const times = sums?.map((s) => `${s.microseconds} µs for ${s.numbers}`).join(", ");
    lines.push(
      `${error ? red("✗") : green("✓")} ${command}  ${error ?? `${name}; a sum of vectors over two ranks takes ${times} numbers`}`,
    );
  }
  if (report.mpi.length === 0)
    lines.push('no MPI on this machine; install one with "apt-get install openmpi-bin" or "mpich" (Debian, Ubuntu)');
  lines.push(
    "",
    ...(report.advice.length > 0 ? report.advice : ["Nothing is missing: the fastest engine is installed."]),
  );
  return `${lines.join("\n")}\n`;
}
