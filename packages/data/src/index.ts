export { asMatrix, ColumnError } from "@expen/linalg";
export { csvText, readCsv } from "./csv.js";
export { isGap, numberOf } from "./csv-cells.js";
export { type CellsOfLine, csvCell, namesIn, recordsOf } from "./csv-records.js";
export { jsonText } from "./json.js";
export {
  CAUSES,
  explained,
  extensions,
  formatOf,
  type LoadOptions,
  loadMatrix,
  loadMolecule,
  loadNumbers,
  loadOperator,
  npz,
  readMolecule,
  saveMatrix,
  savePieces,
} from "./load.js";
export { DataError, type Loaded } from "./loaded.js";
export { matrixMarketText, readMatrixMarket } from "./matrix-market.js";
export { checkedMolecule, type Molecule, pair, pairs } from "./molecule.js";
export { readNpy, writeNpy } from "./npy.js";
export { writeNpz } from "./npz.js";
