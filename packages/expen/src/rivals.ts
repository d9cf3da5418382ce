/** `expen/rivals`: parts of the methods that the paper compares with. The methods themselves are `solvers` by name. */
export {
  adaptive,
  armijo,
  type BbRule,
  barzilaiBorwein,
  daiZhang,
  l1,
  l21,
  nonmonotone,
  nonsmoothStationarity,
  normOf,
  sparsityPattern,
} from "@expen/solvers/rivals";
