"""scikit-learn's PCA and FastICA."""
from sklearn.decomposition import PCA, FastICA

from specialists import closed, iterated

MOST = 2000


def pca(f, X0, tol):
    return closed(PCA(f.p).fit(f.problem.data["A"]).components_.T)


def exact_pca(f, X0, tol):
    """auto takes random projections for wide data; this does not"""
    return closed(PCA(f.p, svd_solver="full").fit(f.problem.data["A"]).components_.T)


def fastica(f, X0, tol):
    """The unmixing matrix n x p. Its tolerance is on 1 - |cosine| of successive directions: by default 1e-4, far from a stationary point."""
    ica = FastICA(f.p, fun="logcosh", whiten="unit-variance", max_iter=MOST, tol=1e-10, w_init=X0.T)
    ica.fit(f.problem.data["A"])
    return iterated(ica.components_.T, ica.n_iter_, MOST)


METHODS = {"sklearn-pca": pca, "sklearn-pca-full": exact_pca, "sklearn-fastica": fastica}
