/** `expen/data`: files of matrices and molecules, and arrays of other libraries. */
export { asMatrix } from "@expen/data";
export { readCsv } from "@expen/data";
export { npz, readMolecule, extensions, type LoadOptions, loadMatrix, loadOperator, loadNumbers, loadMolecule, saveMatrix, savePieces, formatOf, CAUSES, explained, type Molecule } from "@expen/data";
export { DataError } from "@expen/data";
export { readNpy } from "@expen/data";
