"""Pymanopt's Riemannian conjugate gradients and trust regions with hand-written derivatives."""
import numpy as np
import pymanopt
from pymanopt.manifolds import Stiefel
from pymanopt.optimizers import ConjugateGradient, TrustRegions

import constrained_pymanopt


def problem_of(f):
    """Value and gradient of one evaluation, cached for the last point, since Pymanopt requests them one after the other."""
    manifold = Stiefel(f.n, f.p)
    kept = {"X": None, "f": 0.0, "G": None}

    def at(X):
        if kept["X"] is not X:
            G = np.empty_like(X)
            kept["f"] = f.fg(G, X)
            kept["X"], kept["G"] = X, G
            f.observe_feasible(X, kept["f"])
        return kept

    @pymanopt.function.numpy(manifold)
    def cost(X):
        return at(X)["f"]

    @pymanopt.function.numpy(manifold)
    def gradient(X):
        return at(X)["G"]

    @pymanopt.function.numpy(manifold)
    def hessian(X, D):
        return f.hvp(X, D)

    return pymanopt.Problem(manifold, cost, euclidean_gradient=gradient, euclidean_hessian=hessian)


def run(optimizer, f, X0):
    if hasattr(f.problem, "spaces"):
        point, result = constrained_pymanopt.run(optimizer, f, X0)
    else:
        result = optimizer.run(problem_of(f), initial_point=X0)
        point = result.point
    text = result.stopping_criterion
    endings = {"min grad norm": "converged", "max time": "time", "max iterations": "iterations"}
    status = next((status for words, status in endings.items() if words in text), "failed")
    return point, result.iterations, status, text


def limits(f, tol):
    return {"min_gradient_norm": tol, "max_iterations": 10000, "max_time": f.limit, "verbosity": 0}


def rcg(rule):
    return lambda f, X0, tol, **_: run(ConjugateGradient(beta_rule=rule, **limits(f, tol)), f, X0)


def trust_regions(f, X0, tol, **_):
    return run(TrustRegions(**limits(f, tol)), f, X0)


METHODS = {"pymanopt-rcg": rcg("HestenesStiefel"), "pymanopt-rcg-fr": rcg("FletcherReeves"), "pymanopt-tr": trust_regions}
