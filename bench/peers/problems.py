"""The two problems of the paper, as fast as NumPy allows: value and gradient together, destinations given, no n x p temporaries."""
import numpy as np
from scipy.linalg import lapack


class Noeig:
    """f(X) = 1/2 tr(X'LX) + 1/4 r'L^-1 r,  r_i = sum_j X_ij^2,  L = tridiag(-1, 2, -1); gradient MX with M = L + Diag(L^-1 r)."""

    def __init__(self, n, p):
        self.n, self.p = n, p
        self.d, self.e, info = lapack.dpttrf(np.full(n, 2.0), np.full(n - 1, -1.0))
        self.at, self.main = None, None

    def solve(self, r):
        return lapack.dpttrs(self.d, self.e, r, overwrite_b=False)[0]

    def times(self, G, main, X):
        """G <- (L - 2I + Diag(main)) X"""
        np.multiply(main[:, None], X, out=G)
        G[1:] -= X[:-1]
        G[:-1] -= X[1:]

    def fg(self, G, X):
        rho = np.einsum("ij,ij->i", X, X)
        z = self.solve(rho)
        self.times(G, 2 + z, X)
        return 0.5 * np.vdot(X, G) - 0.25 * np.dot(rho, z)

    def hvp(self, H, X, D):
        if self.at is not X:
            self.at, self.main = X, 2 + self.solve(np.einsum("ij,ij->i", X, X))
        z = self.solve(np.einsum("ij,ij->i", X, D))
        self.times(H, self.main, D)
        H += (2 * z)[:, None] * X


class Brockett:
    """f(X) = 1/2 tr(X'BXC), gradient BXC."""

    def __init__(self, n, p, B, C):
        self.n, self.p, self.B, self.C = n, p, B, C
        self.BX = np.empty((n, p))

    def second(self, G, X):
        np.matmul(self.B, X, out=self.BX)
        np.matmul(self.BX, self.C, out=G)

    def fg(self, G, X):
        self.second(G, X)
        return 0.5 * np.vdot(X, G)

    def hvp(self, H, X, D):
        self.second(H, D)


class Watched:
    """A problem that counts its evaluations, ends a run at its time limit or at a target value, and keeps a clock that can be stopped."""

    def __init__(self, problem, clock, limit, target):
        self.problem, self.n, self.p = problem, problem.n, problem.p
        self.clock, self.limit, self.target = clock, limit, target
        self.evaluations = {"f": 0, "grad": 0, "hvp": 0}
        self.began, self.stopped = clock(), 0.0
        self.scratch = np.empty((self.n, self.p))

    def seconds(self):
        return self.clock() - self.began - self.stopped

    def check(self, X):
        if self.clock() - self.began > self.limit:
            raise OutOfTime(X)

    def fg(self, G, X):
        self.check(X)
        self.evaluations["f"] += 1
        self.evaluations["grad"] += 1
        return self.problem.fg(G, X)

    def f(self, X):
        self.check(X)
        self.evaluations["f"] += 1
        return self.problem.fg(self.scratch, X)

    def grad(self, X):
        self.check(X)
        self.evaluations["grad"] += 1
        G = np.empty_like(X)
        self.problem.fg(G, X)
        return G

    def hvp(self, X, D):
        self.check(X)
        self.evaluations["hvp"] += 1
        H = np.empty_like(D)
        self.problem.hvp(H, X, D)
        return H

    def observe(self, X):
        """Ends the run if the projection of X has reached the target. The clock stands still, but for the projection that succeeds."""
        if self.target is None:
            return
        before = self.clock()
        P = polar(X)
        projected = self.clock()
        reached = self.problem.fg(self.scratch, P) <= self.target
        self.stopped += self.clock() - (projected if reached else before)
        if reached:
            raise Reached(P)

    def observe_feasible(self, X, f):
        if self.target is not None and f <= self.target:
            raise Reached(X)


class OutOfTime(Exception):
    pass


class Reached(Exception):
    pass


def polar(X):
    """X (X'X)^-1/2, by the eigenvalues of X'X where X is near the manifold."""
    w, V = np.linalg.eigh(X.T @ X)
    if not w[0] > 1e-3:
        U, _, W = np.linalg.svd(X, full_matrices=False)
        return U @ W
    return X @ ((V / np.sqrt(w)) @ V.T)
