/** What breaks the rules of layers.test.ts today. The lists may only become shorter. */
interface Exceptions {
  upward: string[];
  cyclic: string[];
  data: string[];
  longLines: string[];
  longFiles: string[];
}

const files = (folder: string, names: string): string[] =>
  names.split(" ").map((name) => `${folder && `${folder}/`}${name}.ts`);

export const exceptions: Exceptions = {
  upward: [
    // the names of the elementwise functions, a type: their definitions are the one list of them
    "types.ts → engines/elementwise/operations.ts",
    // what a user's f returns is looked at where it is taken in
    "objective.ts → check/contract.ts",
  ],
  // derivatives of operations are made of one another
  cyclic: files("autodiff/operations", "diagonal elementary elementwise linear product reduce"),
  // the tape still reads engine matrices; the others read plain ones: data, a start, what a user's f got
  data: [
    ...files("", "random start"),
    ...files(
      "applications",
      "align columns dictionary discriminant factor-rotation ica joint-diagonalization kohn-sham pca robust-pca sparse-pca",
    ),
    ...files("autodiff", "chains compile graph leaves lower machine program"),
    ...files("autodiff/operations", "diagonal elementwise linear product reduce softmax square"),
    ...files("certify", "operator-matrix"),
    ...files("check", "contract"),
    ...files("linalg", "nuclear-norm symmetric-eigenvalues tridiagonal"),
    ...files(
      "problems",
      "brockett dictionary instances jointdiag nearest pca problem procrustes quadratic sparse-pca variance",
    ),
  ],
  longLines: [
    "check.ts",
    "certify/closed-form.ts",
    ...files("check", "derivative-along mistakes worst-entry"),
    "linalg/symmetric-eigenvalues.ts",
  ],
  // the contracts on one page, every check of an engine, the numbers of the paper
  longFiles: ["types.ts", "engines/engine.ts", "reproduce/paper-tables.ts"],
};
