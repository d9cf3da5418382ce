import type { Domain, View } from "../contracts/manifold.js";
import { isFormula } from "../objective/objective.js";
import type { Block } from "./block.js";
import { boundsBlock } from "./bounds-block.js";
import { formulaBlock } from "./formula-block.js";
import { functionBlock } from "./function-block.js";
import type { Subject } from "./subject.js";

/** An entry of `subjectTo` on the domain of a run, with values of g divided by `sizes` */
export function blockOf(domain: Domain<View>, subject: Subject, sizes?: Float64Array): Block {
  if (!("g" in subject)) return boundsBlock(domain, subject);
  return isFormula(subject.g) ? formulaBlock(domain, subject, sizes) : functionBlock(domain, subject, sizes);
}
