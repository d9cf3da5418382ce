/** `expen/data`: files of matrices and molecules, and arrays of other libraries. */

export {
  asMatrix,
  CAUSES,
  DataError,
  explained,
  extensions,
  formatOf,
  type LoadOptions,
  loadMatrix,
  loadMolecule,
  loadNumbers,
  loadOperator,
  type Molecule,
  npz,
  readCsv,
  readMolecule,
  readNpy,
  saveMatrix,
  savePieces,
} from "@expen/data";
export type { ColumnChoice, MatrixLike, ReadOptions, SparseLike, Table } from "@expen/linalg";
