"""Geoopt's Riemannian conjugate gradients on PyTorch's CPU tensors. Values and gradients come from the same NumPy code as everywhere, on
shared memory."""
import geoopt
import torch
from geoopt.optim import RiemannianLineSearch
from scipy.optimize._linesearch import scalar_search_wolfe2  # the line search of Geoopt itself


def wolfe(phi, derphi, phi0, derphi0, old_phi0, **_):
    """Geoopt's own search lets the slope at 0 be computed again, which takes an evaluation an iteration, and c2 = 0.9 is too loose for CG."""
    return scalar_search_wolfe2(phi, derphi, phi0=phi0, old_phi0=old_phi0, derphi0=derphi0, c2=0.4)[0]


def line_search(cg_method):
    def method(f, X0, tol, **_):
        X = geoopt.ManifoldParameter(torch.from_numpy(X0), manifold=geoopt.EuclideanStiefel())
        X.grad = torch.empty_like(X)
        x, g = X.detach().numpy(), X.grad.numpy()

        def closure():
            value = float(f.fg(g, x))
            f.observe_feasible(x, value)
            return value

        optimizer = RiemannianLineSearch([X], line_search_method=wolfe, cg_method=cg_method)
        for iteration in range(1, 10001):
            optimizer.step(closure)
            if optimizer.last_step_size is None:
                return x, iteration, "failed", "no step satisfies the Wolfe conditions"
            if torch.linalg.norm(optimizer.state[X]["new_grad"]) <= tol:
                return x, iteration, "converged", "gradient norm below the tolerance"
        return x, iteration, "iterations", "10000 iterations"

    return method


METHODS = {"geoopt-cg": line_search("pr"), "geoopt-sd": line_search("steepest")}
