/** The reasons why the sides differ, field by field, for the report. */

const CLOSED_FORM =
  "Both sides take LAPACK's closed form. Ours also computes f, its gradient, ‖XᵀX − I‖ and the eigenvalues of the multiplier for the certificate: some tens of microseconds.";

const ROTATION =
  "Sweeps of best plane rotations from several starts come near to a maximum, and the run goes on from the highest. The tool's singular value steps converge linearly from one start, and stop by default at a gradient of 1e-3; `tight` ends where ours does.";

export const reasons: Readonly<Record<string, string>> = {
  pca: `${CLOSED_FORM} Wide data (NCI60) goes through the matrix of its rows; scikit-learn takes random projections there, and its f is higher.`,
  svd: "LAPACK's eigenvectors of the smaller square of A; the tool's ARPACK takes products one vector at a time, and its random projections end at a higher f.",
  procrustes:
    "LAPACK's closed form on both sides. SciPy's `orthogonal_procrustes` returns neither a residual, which is computed after it, nor a proof.",
  varimax: ROTATION,
  quartimax: ROTATION,
  ica: "With Picard's Hessian as the preconditioner we need about as many evaluations; an evaluation is one pass through the data. From one random start the sides end at different maxima, hence five.",
  "joint-diagonalization":
    "One product of all matrices at once, and the Hessian of matrices with common eigenvectors as the preconditioner, instead of one plane after the other.",
  "sparse-pca":
    'For given X the best loadings are known, which leaves one smooth function of X (`kind: "regression"`) for quasi-Newton steps. On wide data the tool spends most of its time on a full singular value decomposition.',
};
