/** `expen/rivals`: parts of the methods that the paper compares with. The methods themselves are `solvers` by name. */
export { sparsityPattern } from "../penalty/proximal.js";
export { nonsmoothStationarity } from "../penalty/tangent-prox.js";
export { l1, l21, normOf } from "../penalty/term.js";
export { adaptive } from "../search/adaptive.js";
export { armijo, nonmonotone } from "../search/armijo.js";
export { daiZhang } from "../search/dai-zhang.js";
export { type BbRule, barzilaiBorwein } from "../solvers/barzilai-borwein/barzilai-borwein.js";
