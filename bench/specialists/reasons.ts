/** The reasons why the sides differ, field by field, for the report. */

const CLOSED_FORM =
  "Both sides take LAPACK's closed form. Ours also computes the certificate, in some tens of microseconds.";

const ROTATION =
  "Ours begins with sweeps of plane rotations from several starts. The tool's singular value steps converge linearly from one start, and stop by default at a gradient of 1e-3; `tight` ends where ours does.";

export const reasons: Readonly<Record<string, string>> = {
  pca: `${CLOSED_FORM} On wide data (NCI60) ours takes the matrix of the rows, scikit-learn random projections with a higher f.`,
  svd: "Ours takes LAPACK's eigenvectors of the smaller of AᵀA and AAᵀ. The tool's ARPACK takes products one vector at a time, and its random projections end at a higher f.",
  procrustes:
    "Both sides take LAPACK's closed form. SciPy's `orthogonal_procrustes` returns neither a residual, which is computed after it, nor a proof.",
  varimax: ROTATION,
  quartimax: ROTATION,
  ica: "Ours takes Picard's Hessian as preconditioner and about as many evaluations, each of one pass through the data. From one random start the sides end at different maxima, hence five.",
  "joint-diagonalization":
    "Ours multiplies all matrices at once, with the Hessian of matrices with common eigenvectors as preconditioner. The tool takes one plane after the other.",
  "sparse-pca":
    'For given X the best loadings are known, which leaves one smooth function of X (`kind: "regression"`). On wide data the tool spends most of its time on a full singular value decomposition.',
};
