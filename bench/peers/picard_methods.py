"""Picard-O of python-picard: L-BFGS on the orthogonal group, preconditioned by the relative Hessian of independent sources."""
from picard import picard

from specialists import iterated

MOST = 2000


def picard_o(f, X0, tol):
    """The unmixing matrix n x p"""
    A = f.problem.data["A"]
    K, W, _, iterations = picard(A.T, n_components=f.p, ortho=True, max_iter=MOST, tol=tol, w_init=X0.T, return_n_iter=True)
    return iterated((W @ K).T, iterations, MOST - 1)


METHODS = {"picard-o": picard_o}
