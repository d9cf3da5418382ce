/** `eigs` and `svds` as applications */
import type { EigsAnswer, EigsOptions, SvdsAnswer, SvdsOptions } from "@expen/apps/eigen";
import type { Matrix, Sparse } from "@expen/linalg";
import type { Answer, ShellApplication } from "./application.js";
import { answerWithoutRun } from "./without-run.js";

/** Imported when it is needed, so that the other commands begin without it */
const solver = () => import("@expen/apps/eigen");

const NUMBER = { type: "integer", required: true, name: "p" } as const;
const TOLERANCE = { name: "tolerance", type: "number", help: "largest residual over ‖A‖ (default: 1e-9)" } as const;
const MATRIX = { holds: "operator", help: "dense or sparse" } as const;

function answerOf(
  name: string,
  one: EigsAnswer | SvdsAnswer,
  notes: readonly string[],
  matrices: Answer["matrices"],
): Answer {
  const { values } = one;
  const digits = values.map((v) => String(Number(v.toPrecision(10)))).join("  ");
  const [main] = Object.keys(matrices);
  return answerWithoutRun(name, one, {
    lines: [["values", digits]],
    numbers: { values },
    notes,
    main: main!,
    matrices,
  });
}

/** The options that both take, of those of the shell */
function optionsFor<O>(options: object): O {
  const { engine, signal, seed, maxSeconds, p, which, sigma, tolerance } = options as Record<string, unknown>;
  const all = { engine, signal, seed, maxSeconds, p, which, sigma, tolerance };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as O;
}

export const eigenvalueApplications: readonly ShellApplication[] = [
  {
    name: "eigs",
    summary: "eigenvalues of a symmetric matrix, with bounds, and a count that shows whether any is missing",
    files: [
      { name: "A", ...MATRIX },
      { name: "B", holds: "operator", help: "symmetric positive definite, of A·x = λ·B·x", optional: true },
    ],
    options: [
      { ...NUMBER, help: "number of eigenvalues" },
      {
        name: "which",
        type: "choice",
        help: "end of the spectrum (default: smallest)",
        choices: ["smallest", "largest", "nearest"],
      },
      { name: "sigma", type: "number", help: "the number that --which nearest asks for" },
      TOLERANCE,
    ],
    example: "A.mtx --p 6 --which largest --out vectors.npy",
    parts: ["vectors"],
    takesSolver: false,
    async run([A, B], options, notes) {
      const o = optionsFor<EigsOptions>(options);
      const { eigs } = await solver();
      const answer = await eigs(A as Matrix | Sparse, { ...o, ...(B !== undefined && { B: B as Matrix | Sparse }) });
      return answerOf("eigs", answer, notes, { vectors: answer.vectors });
    },
  },
  {
    name: "svds",
    summary: "largest or smallest singular values and their vectors, with bounds",
    files: [{ name: "A", ...MATRIX }],
    options: [
      { ...NUMBER, help: "number of singular values" },
      {
        name: "which",
        type: "choice",
        help: "largest or smallest ones (default: largest)",
        choices: ["largest", "smallest"],
      },
      TOLERANCE,
    ],
    example: "A.mtx --p 6 --out U.npy --out V.npy",
    parts: ["U", "V"],
    takesSolver: false,
    async run([A], options, notes) {
      const { svds } = await solver();
      const answer = await svds(A as Matrix | Sparse, optionsFor<SvdsOptions>(options));
      return answerOf("svds", answer, notes, { U: answer.U, V: answer.V });
    },
  },
];
