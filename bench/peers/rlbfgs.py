"""Riemannian L-BFGS with the rules of Manopt's `rlbfgs` (Huang, Gallivan, Absil, SIAM J. Optim. 25, 2015): 30 pairs, transported by
projection to the new tangent space, Armijo backtracking from step 1, in the Euclidean metric. The retraction is the polar one."""
import numpy as np

from problems import polar

MEMORY = 30  # pairs
DECREASE = 1e-4  # Armijo's constant
TRIALS = 25  # trial points of a line search
CURVATURE = 1e-4  # a pair is stored if <s, y>/|s|^2 is at least this part of the gradient norm
ITERATIONS = 10000


def symmetric(A):
    return 0.5 * (A + np.swapaxes(A, -1, -2))


def tangent(X, V):
    """The projection of V, or of each matrix of a stack V, to the tangent space at X."""
    return V - X @ symmetric(X.T @ V)


class Pairs:
    """The curvature pairs (s, y), of unit length in s, and the inverse Hessian that they make of a multiple of the identity."""

    def __init__(self, shape, scale):
        self.shape, self.scale = shape, scale
        self.clear()

    def clear(self):
        self.S = self.Y = np.empty((0, *self.shape))

    def times(self, g):
        """The two-loop recursion (Nocedal and Wright, Algorithm 7.4)."""
        S, Y = (A.reshape(len(A), g.size) for A in (self.S, self.Y))
        rho = 1 / np.vecdot(S, Y)
        q, alpha = g.ravel().copy(), np.empty(len(S))
        for i in reversed(range(len(S))):
            alpha[i] = rho[i] * (S[i] @ q)
            q -= alpha[i] * Y[i]
        q *= self.scale
        for i in range(len(S)):
            q += (alpha[i] - rho[i] * (Y[i] @ q)) * S[i]
        return q.reshape(self.shape)

    def move(self, X):
        self.S, self.Y = tangent(X, self.S), tangent(X, self.Y)

    def add(self, s, y, gradient_norm):
        length = np.linalg.norm(s)
        s, y = s / length, y / length
        curvature = np.vdot(s, y)
        if curvature < CURVATURE * gradient_norm:
            return
        self.scale = curvature / np.vdot(y, y)
        self.S, self.Y = (np.concatenate([A[-MEMORY + 1 :], a[None]]) for A, a in ((self.S, s), (self.Y, y)))


def rlbfgs(f, X0, tol, **_):
    def evaluate(X):
        G = np.empty_like(X)
        value = f.fg(G, X)
        f.observe_feasible(X, value)
        return value, tangent(X, G)

    def search(X, value, D, slope):
        """Backtracks until f decreases as Armijo asks."""
        step = 1.0
        for _ in range(TRIALS):
            Z = polar(X + step * D)
            trial, gradient = evaluate(Z)
            if trial <= value + DECREASE * step * slope:
                break
            step /= 2
        return Z, trial, gradient, step

    X = X0
    value, g = evaluate(X)
    norm = np.linalg.norm(g)
    pairs = Pairs(X.shape, 1 / norm)
    for k in range(ITERATIONS):
        if norm <= tol:
            return X, k, "converged", "gradient norm below the tolerance"
        D = -pairs.times(g)
        Z, trial, gradient, step = search(X, value, D, np.vdot(g, D))
        if not trial <= value:
            if len(pairs.S) == 0:
                return X, k, "failed", "no decrease along the negative gradient"
            pairs.clear()
            continue
        pairs.move(Z)
        norm = np.linalg.norm(gradient)
        pairs.add(tangent(Z, step * D), gradient - tangent(Z, g), norm)
        X, value, g = Z, trial, gradient
    return X, ITERATIONS, "iterations", f"{ITERATIONS} iterations"
