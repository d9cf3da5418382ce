"""Jacobi angles for joint diagonalisation (Cardoso and Souloumiac 1996), of pyriemann."""
import numpy as np
from pyriemann.geometry.ajd import rjd


def jacobi(f, X0, tol):
    V, _ = rjd(f.problem.data["A"].reshape(-1, f.n, f.n).copy(), eps=tol)
    return np.asarray(V), None, "converged", f"all angles below {tol}"


METHODS = {"pyriemann-rjd": jacobi}
