/** The reasons why the sides differ, field by field, for the report. */

const CLOSED_FORM =
  "Both sides take LAPACK's closed form (`run.reason` says so). On our side there are besides: f, its gradient and ‖XᵀX − I‖ at the answer, " +
  "the check of the multiplier's eigenvalues, which make the certificate, and the result: some tens of microseconds, which problems below a " +
  "millisecond show. Data are read where they lie, and their squares tell whether all are finite.";

const ROTATION =
  "The best angle in the plane of two factors is known, however far: some sweeps through all planes, in plain numbers, from the identity and " +
  "from seeded starts (4, or 8 for few loadings), come near to a maximum; the run goes on from the highest. The tool's singular value steps " +
  "converge linearly, from one start; by default it stops where the sum of singular values grows by less than 1e-5, at a gradient of 1e-3. " +
  "`tight` ends where ours does.";

export const reasons: Readonly<Record<string, string>> = {
  pca: `${CLOSED_FORM} Wide data (NCI60) goes through the matrix of its rows; scikit-learn takes random projections there, and its f is higher.`,
  svd: "LAPACK's eigenvectors of the smaller square of A, then the singular values of AV; the tool's ARPACK takes products with A one vector at a time. Its random projections end at a higher f.",
  procrustes: `The closed form of LAPACK on both sides, and on ours besides what stands under pca. SciPy's \`orthogonal_procrustes\` returns no residual, which is computed after it, and no proof. Ours has the residual from singular values; only where it is nearly 0 it is taken from AX − B, another pass over the data, which keeps its digits and takes as long as AᵀB.`,
  varimax: ROTATION,
  quartimax: ROTATION,
  ica:
    "With Picard's Hessian as the preconditioner we need about as many evaluations as it does; an evaluation is one pass through the data for G, " +
    'g and g\' together. `sum: "absolute"` is the function that symmetric FastICA and Picard climb; the default of `ica` is the sum of squares. Each ' +
    "of our starts has steps of FastICA first, until columns hardly turn, in the time but not in the evaluations. From one random start the sides " +
    "end at different maxima, hence five; where all five of a side miss the best one, its f is higher.",
  "joint-diagonalization":
    "One product of all matrices at once, and the Hessian of matrices with common eigenvectors as the preconditioner, instead of a plane after the " +
    "other. The function has several maxima, which differ by 1e-5 of it or less on the digits: from one start a side may miss the best one.",
  "sparse-pca":
    'For given X the best loadings are known, so that one smooth function of X is left (`kind: "regression"`), and quasi-Newton steps take the place ' +
    "of alternating ones. On wide data the tool spends most of its time on a full singular value decomposition.",
};
