"""AManPG of sparsepca: min over X'X = I and Y of -2 tr(X'CY) + |Y|^2 + weight |Y|_1, Zou, Hastie and Tibshirani's criterion for lambda2 = inf."""
import numpy as np
from sparsepca import spca

from specialists import iterated

MOST = 10000


def amanpg(f, X0, tol):
    A, weight = f.problem.data["A"], f.problem.data["weight"][0, 0]
    found = spca(A, weight * np.ones((f.p, 1)), np.inf, x0=X0, y0=X0, k=f.p, maxiter=MOST, tol=tol, normalize=False)
    return iterated(found["x"], found["iter"], MOST - 1)


METHODS = {"sparsepca-amanpg": amanpg}
