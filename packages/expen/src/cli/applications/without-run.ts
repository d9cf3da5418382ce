/** Answers that no run of a solver is behind: eigenvalues and singular values */
import type { Computation } from "@expen/apps/objectives";
import { duration, small } from "../format.js";
import type { Answer } from "./application.js";

/** `lines` and `numbers` of the application come first in the text and in the document. */
export function answerWithoutRun(
  name: string,
  end: Computation,
  {
    lines,
    numbers,
    notes,
    ...rest
  }: Pick<Answer, "lines" | "notes" | "main" | "matrices" | "model"> & { numbers: object },
): Answer {
  const { residuals, bounds, certificate, converged, method, products, seconds } = end;
  const allNotes = [...notes, ...end.notes];
  return {
    succeeded: converged,
    headline: `${converged ? "converged" : "not converged"}: ${method}`,
    lines: [
      ...lines,
      ["largest residual", small(Math.max(...residuals))],
      ...(bounds ? [["error of a value, at most", small(Math.max(...bounds))] as const] : []),
      ["products with A", `${products}, ${duration(seconds)}`],
      ["certificate", certificate.text],
    ],
    notes: allNotes,
    document: {
      problem: name,
      converged,
      method,
      ...numbers,
      residuals,
      ...(bounds && { bounds }),
      certificate,
      products,
      seconds,
      notes: allNotes,
    },
    ...rest,
  };
}
