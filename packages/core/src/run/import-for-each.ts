/** The modules of many runs, one after the other */

import type { Constraint } from "../contracts/constraint.js";
import type { Objective } from "../contracts/objective.js";
import { importFor } from "./import-for.js";
import type { Imports } from "./imports.js";
import type { StiefelOptions } from "./options.js";
import type { Parts } from "./parts.js";

/**
 * `importFor` for many f, one after the other, anew only where f is another or has become a quadratic form or ceased to be one: an item
 * changes nothing else of a formula that modules depend on.
 */
export function importForEach(parts: Parts, o: StiefelOptions, on: Constraint): (f: Objective) => Promise<Imports> {
  let last: { f: Objective; isForm: boolean; imports: Imports } | undefined;
  return async (f) => {
    const isForm = f.quadratic !== undefined;
    if (last?.f !== f || last.isForm !== isForm) last = { f, isForm, imports: await importFor(parts, f, o, on) };
    return last.imports;
  };
}
