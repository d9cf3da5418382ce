"""Geoopt's Riemannian line search on PyTorch's CPU tensors. Values and gradients come from the same NumPy code as everywhere, on shared memory."""
import geoopt
import numpy as np
import torch
from geoopt.optim import RiemannianLineSearch


def line_search(cg_method):
    def method(f, X0, tol, **_):
        X = geoopt.ManifoldParameter(torch.from_numpy(X0), manifold=geoopt.EuclideanStiefel())
        X.grad = torch.empty_like(X)
        x, g = X.detach().numpy(), X.grad.numpy()

        def closure():
            value = float(f.fg(g, x))
            f.observe_feasible(x, value)
            return value

        optimizer = RiemannianLineSearch([X], line_search_method="wolfe", cg_method=cg_method)
        for iteration in range(1, 10001):
            optimizer.step(closure)
            if optimizer.last_step_size is None:
                return x, iteration, "failed", "no step satisfies the Wolfe conditions"
            if torch.linalg.norm(optimizer.state[X]["new_grad"]) <= tol:
                return x, iteration, "converged", "gradient norm below the tolerance"
        return x, iteration, "iterations", "10000 iterations"

    return method


METHODS = {"geoopt-cg": line_search("pr"), "geoopt-sd": line_search("steepest")}
