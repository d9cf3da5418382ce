"""qndiag: quasi-Newton for Pham's criterion, over invertible matrices; its answer is made orthonormal."""
import numpy as np
from qndiag import qndiag as diagonalize

from problems import polar
from specialists import iterated

MOST = 1000


def qndiag(f, X0, tol):
    A = f.problem.data["A"].reshape(-1, f.n, f.n)
    B, infos = diagonalize(A, max_iter=MOST, tol=tol)
    B /= np.linalg.norm(B, axis=1, keepdims=True)
    return iterated(polar(B.T), len(infos["gradient_list"]), MOST)


METHODS = {"qndiag": qndiag}
