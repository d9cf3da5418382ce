"""CDOpt's constraint dissolving function, minimised by SciPy as in CDOpt's own examples: value and gradient are separate functions there."""
import cdopt
import numpy as np
from cdopt.manifold_np import stiefel_np

import constrained_cdopt
from scipy_methods import cg_by_norm, lbfgsb_by_norm


def problem_of(f, X0, seed):
    np.random.seed(seed)  # its penalty parameter is drawn
    manifold = stiefel_np((f.n, f.p))
    return manifold, cdopt.core.problem(manifold, f.f, obj_grad=f.grad, obj_hvp=f.hvp, beta="auto", Xinit=X0)


def cg(f, X0, tol, seed=1, **_):
    manifold, P = problem_of(f, X0, seed)
    X, *rest = cg_by_norm(f, P.cdf_fun_vec_np, P.Xinit_vec_np, tol, jac=P.cdf_grad_vec_np)
    return manifold.Post_process(X), *rest


def lbfgs(f, X0, tol, seed=1, **_):
    if hasattr(f.problem, "spaces"):
        return constrained_cdopt.run(f, X0, seed)
    manifold, P = problem_of(f, X0, seed)
    X, *rest = lbfgsb_by_norm(f, P.cdf_fun_vec_np, P.Xinit_vec_np, tol, jac=P.cdf_grad_vec_np)
    return manifold.Post_process(X), *rest


METHODS = {"cdopt-cg": cg, "cdopt-lbfgs": lbfgs}
