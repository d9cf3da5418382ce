/** Parts of the methods of others: searches, curves, terms with proximal maps. */
export { type BbRule, barzilaiBorwein } from "./barzilai-borwein/barzilai-borwein.js";
export type { RetractionName } from "./curves/retraction-names.js";
export { retractions } from "./curves/retractions.js";
export { expm } from "./expm.js";
export { sparsityPattern } from "./proximal.js";
export { adaptive } from "./search/adaptive.js";
export { armijo, nonmonotone } from "./search/armijo.js";
export { daiZhang } from "./search/dai-zhang.js";
export { nonsmoothStationarity } from "./tangent-prox.js";
export { l1, l21, normOf } from "./term.js";
