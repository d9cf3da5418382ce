/** What breaks the rules of layers.test.ts today. The lists may only become shorter. */
interface Exceptions {
  upward: string[];
  cyclic: string[];
  data: string[];
  longFiles: string[];
}

const files = (folder: string, names: string): string[] =>
  names.split(" ").map((name) => `${folder && `${folder}/`}${name}.ts`);

export const exceptions: Exceptions = {
  upward: [],
  cyclic: [],
  // plain matrices: data, a start, what a user's f got
  data: [
    ...files("", "random"),
    ...files("run", "start"),
    ...files(
      "applications",
      "align columns dictionary discriminant factor-rotation joint-diagonalization least-squares robust-pca sparse-pca",
    ),
    ...files("autodiff", "held"),
    ...files("certify", "operator-matrix"),
    ...files("linalg", "given symmetric-eigenvalues"),
    ...files("problems", "brockett dictionary instances jointdiag nearest pca procrustes quadratic"),
  ],
  longFiles: [],
};
