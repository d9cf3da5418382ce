/** Tables of the suite: the answer of each side, and its time. */
import { geometricMean, orDash, type Table } from "../tables.js";
import { compared, OURS, type SpecialistCase, type SpecialistResults, type SpecialistRun } from "./results.js";

const milliseconds = (seconds: number | null | undefined): string => orDash(seconds, (s) => (1000 * s).toPrecision(3));
const small = (v: number | null): string => orDash(v, (x) => x.toExponential(0));

const oursOf = ({ runs }: SpecialistCase): SpecialistRun => runs.find(({ contender }) => contender === OURS)!;
const toolsOf = ({ runs }: SpecialistCase): SpecialistRun[] => runs.filter(({ contender }) => contender !== OURS);

/** Evaluations of ours, iterations of a tool. */
function work({ evaluations, iterations }: SpecialistRun): string {
  if (evaluations)
    return `${Math.max(evaluations.f, evaluations.grad)}${evaluations.hvp ? ` + ${evaluations.hvp}` : ""}`;
  return iterations === null ? "–" : String(iterations);
}

const words = { same: "the same", better: "ours is lower", worse: "ours is higher", failed: "no answer" };

export function specialistTable({ cases }: SpecialistResults): Table {
  return {
    head: ["field", "data", "side", "ms", "evaluations", "f", "gradient", "its time : ours", "f beside ours"],
    body: cases.flatMap((one) => {
      const ours = oursOf(one);
      const line = (run: SpecialistRun): string[] => [
        run === ours ? one.field : "",
        run === ours ? `${one.name}${one.starts > 1 ? `, ${one.starts} starts` : ""}` : "",
        `\`${run.contender}\`${run.status === "converged" ? "" : ` (${run.status})`}`,
        milliseconds(run.seconds),
        work(run),
        orDash(run.f, (f) => String(Number(f.toPrecision(9)))),
        small(run.stationarity),
      ];
      return [
        [
          ...line(ours),
          ours.certified ? `certified: ${milliseconds(ours.certified.seconds)} ms` : "",
          ours.certified?.level ?? "",
        ],
        ...toolsOf(one).map((tool) => {
          const { ratio, verdict } = compared(one, ours, tool);
          return [
            ...line(tool),
            ratio?.toPrecision(3) ?? "–",
            `${words[verdict]}${tool.other ? "; another function" : ""}`,
          ];
        }),
      ];
    }),
  };
}

/** A pair in which ours takes longer than the tool, or ends with a higher f */
export interface Behind {
  readonly field: string;
  readonly name: string;
  readonly tool: string;
  readonly ratio: number | undefined;
  /** relative excess of our f over that of the tool; 0 where ours is not higher */
  readonly higher: number;
}

export function behind({ cases }: SpecialistResults): Behind[] {
  return cases.flatMap((one) => {
    const ours = oursOf(one);
    return toolsOf(one).flatMap((tool) => {
      const { ratio, verdict } = compared(one, ours, tool);
      const higher = verdict === "worse" && !tool.other ? (ours.f! - tool.f!) / Math.abs(tool.f!) : 0;
      if (!((ratio ?? 1) < 1) && higher === 0) return [];
      return [{ field: one.field, name: one.name, tool: tool.contender, ratio, higher }];
    });
  });
}

/** One line for each field: pairs of a task and a tool that minimises the same function. */
export function summaryTable(results: SpecialistResults): Table {
  const all = results.cases.flatMap((one) =>
    toolsOf(one).map((tool) => ({ field: one.field, other: tool.other, ...compared(one, oursOf(one), tool) })),
  );
  const row = (name: string, pairs: typeof all): string[] => {
    const ratios = pairs.flatMap(({ ratio }) => (ratio === undefined ? [] : [ratio]));
    return [
      name,
      String(pairs.length),
      orDash(geometricMean(ratios), (v) => v.toPrecision(3)),
      ratios.length > 0 ? Math.min(...ratios).toPrecision(3) : "–",
      `${ratios.filter((v) => v >= 2).length}`,
      `${ratios.filter((v) => v < 0.8).length}`,
      `${pairs.filter(({ verdict }) => verdict === "worse").length}`,
      `${pairs.filter(({ verdict }) => verdict === "better").length}`,
    ];
  };
  const same = all.filter(({ other }) => !other);
  const fields = [...new Set(same.map(({ field }) => field))];
  return {
    head: ["field", "pairs", "its time : ours, mean", "least", "≥ 2", "< 0.8", "our f higher", "lower"],
    body: [
      ...fields.map((field) =>
        row(
          field,
          same.filter((pair) => pair.field === field),
        ),
      ),
      row("all", same),
    ],
  };
}
