"""Methods in NumPy and LAPACK: Riemannian L-BFGS on the Stiefel manifold, and three for XᵀBX = I."""
import numpy as np
from scipy.linalg import eigh

from rlbfgs import rlbfgs


def lapack(f, chosen):
    problem = f.problem
    _, X = eigh(problem.A, problem.B, check_finite=False, **chosen)
    X = np.ascontiguousarray(X[:, : f.p])
    f.observe_feasible([X], f.fg([np.empty_like(X)], [X]))
    return [X], None, "converged", "eigh"


def every(f, X0, tol, **_):
    """SciPy's eigh(A, B)"""
    return lapack(f, {})


def lowest(f, X0, tol, **_):
    """The same for the p lowest alone"""
    return lapack(f, {"subset_by_index": [0, f.p - 1]})


def landing(f, X0, tol, **_):
    """
    X <- X - eta (2 skew(G X'B) BX + omega BX(X'BX - I))   (Vary, Ablin, Gao, Absil 2024)

    with thin products. omega = |A|; eta is the one of 2^k/(|A| |B|), k = -4, ..., 4, whose first 20 steps bring f lowest; they count.
    """
    B = f.problem.B

    def field(G, X, BX, omega):
        # 2 skew(G (BX)') BX = G (BX)'BX - BX G'BX
        return G @ (BX.T @ BX) - BX @ (G.T @ BX) + omega * BX @ (X.T @ BX - np.eye(X.shape[1]))

    def steps(X, eta, omega, count):
        G = np.empty_like(X)
        value = np.inf
        for k in range(count):
            value = f.fg([G], [X])
            if not np.isfinite(value) or abs(value) > 1e12:
                return X, np.inf
            if k % 10 == 9:
                f.observe([X])
            BX = B @ X
            X = X - eta * field(G, X, BX, omega)
        return X, value

    lengths = np.linalg.norm(f.problem.A, 2), np.linalg.norm(B, 2)
    base = 2.0 / (lengths[0] * lengths[1])
    omega = lengths[0]
    trials = [(penalised(f, B, *steps(X0[0], base * 2.0**-k, omega, 20)), base * 2.0**-k) for k in range(-3, 6)]
    eta = min(trials)[1]
    X, _ = steps(X0[0], eta, omega, 1000000)
    return f.problem.project([X]), None, "iterations", "all steps done"


def penalised(f, B, X, value):
    """f at the projection; a run that left is the worst"""
    return f.problem.f(f.problem.project([X])) if np.isfinite(value) and np.isfinite(X).all() else np.inf


METHODS = {"numpy-eigh": every, "numpy-eigh-lowest": lowest, "numpy-landing": landing, "numpy-rlbfgs": rlbfgs}
