"""Pymanopt on a list of parts. It has no generalised Stiefel manifold: there X = R^-1 Z, B = R'R, and Z has orthonormal columns."""
import numpy as np
import pymanopt
from pymanopt.manifolds import ComplexGrassmann, Euclidean, Oblique, Product, Stiefel, UnitaryGroup
from scipy.linalg import cholesky, solve_triangular

class Unitary(UnitaryGroup):
    """Corrected: version 2.2.1 projects gradients with the transpose in the place of the conjugate transpose, and fails."""

    def inner_product(self, point, a, b):
        return np.vdot(a, b).real

    def projection(self, point, vector):
        A = point.conj().T @ vector
        return (A - A.conj().T) / 2


MANIFOLDS = {
    "stiefel": Stiefel,
    "generalized": Stiefel,
    "euclidean": Euclidean,
    "oblique": Oblique,
    "complex-grassmann": ComplexGrassmann,
    "unitary": lambda n, _: Unitary(n),
}


def run(optimizer, f, X0):
    """Runs to the target or to the end of the optimizer: the point as a list, and the optimizer's result."""
    spaces = f.problem.spaces
    manifolds = [MANIFOLDS[kind](*shape) for kind, shape in spaces]
    single = len(manifolds) == 1
    manifold = manifolds[0] if single else Product(manifolds)
    R = cholesky(f.problem.B) if spaces[0][0] == "generalized" else None
    there = (lambda Z: Z) if R is None else lambda Z: [solve_triangular(R, Z[0], check_finite=False)]
    back = (lambda G: G) if R is None else lambda G: [solve_triangular(R, G[0], trans=1, check_finite=False)]
    kept = {"at": None}

    def at(Z):
        if kept["at"] is None or any(a is not b for a, b in zip(kept["at"], Z)):
            X = there(Z)
            G = [np.empty_like(A) for A in X]
            kept["f"] = f.fg(G, X)
            kept["at"], kept["G"] = Z, back(G)
            f.observe_feasible(X, kept["f"])
        return kept

    @pymanopt.function.numpy(manifold)
    def cost(*Z):
        return at(Z)["f"]

    @pymanopt.function.numpy(manifold)
    def gradient(*Z):
        return at(Z)["G"][0] if single else at(Z)["G"]

    Z0 = X0 if R is None else [R @ X0[0]]
    problem = pymanopt.Problem(manifold, cost, euclidean_gradient=gradient)
    result = optimizer.run(problem, initial_point=Z0[0] if single else Z0)
    return there([result.point] if single else result.point), result
