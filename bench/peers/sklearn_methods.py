"""scikit-learn's PCA, FastICA and TruncatedSVD."""
from sklearn.decomposition import PCA, FastICA, TruncatedSVD

from specialists import closed, iterated

MOST = 2000


def principal(solver):
    def pca(f, X0, tol):
        found = PCA(f.p, svd_solver=solver)
        found.fit_transform(f.problem.data["A"])  # the scores too, which ours has
        return closed(found.components_.T)

    return pca


def fastica(f, X0, tol):
    """The unmixing matrix n x p. Its tolerance is on 1 - |cosine| of successive directions: by default 1e-4, far from a stationary point."""
    ica = FastICA(f.p, fun="logcosh", whiten="unit-variance", max_iter=MOST, tol=1e-10, w_init=X0.T)
    ica.fit(f.problem.data["A"])
    return iterated(ica.components_.T, ica.n_iter_, MOST)


def truncated(algorithm):
    def svd(f, X0, tol):
        found = TruncatedSVD(f.p, algorithm=algorithm)
        found.fit_transform(f.problem.data["A"])
        return closed(found.components_.T)

    return svd


# auto takes random projections for wide data
METHODS = {"sklearn-pca": principal("auto"), "sklearn-pca-full": principal("full"), "sklearn-fastica": fastica, "sklearn-svd": truncated("arpack"), "sklearn-svd-random": truncated("randomized")}
