/** `expen/rivals`: parts of the methods that the paper compares with. The methods themselves are `solvers` by name. */
export { sparsityPattern } from "@expen/solvers";
export { nonsmoothStationarity } from "@expen/solvers";
export { l1, l21, normOf } from "@expen/solvers";
export { adaptive } from "@expen/solvers";
export { armijo, nonmonotone } from "@expen/solvers";
export { daiZhang } from "@expen/solvers";
export { type BbRule, barzilaiBorwein } from "@expen/solvers";
