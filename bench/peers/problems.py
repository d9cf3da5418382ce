"""The two problems of the paper, as fast as NumPy allows: value and gradient together, destinations given, no n x p temporaries.

`bounded`: f is bounded below on all of R^(n x p), and so is a penalty made of it."""
import numpy as np
from scipy.linalg import lapack


class Noeig:
    """f(X) = 1/2 tr(X'LX) + 1/4 r'L^-1 r,  r_i = sum_j X_ij^2,  L = tridiag(-1, 2, -1); gradient MX with M = L + Diag(L^-1 r)."""

    bounded = True

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

    def f(self, X):
        """tr(X'LX) = 2 (sum of r - sum of <X_i, X_i+1>): X is read twice and nothing is written."""
        rho = np.vecdot(X, X)
        return rho.sum() - np.vdot(X[:-1], X[1:]) + 0.25 * np.dot(rho, self.solve(rho))

    def fg(self, G, X):
        rho = np.vecdot(X, X)
        z = self.solve(rho)
        self.times(G, 2 + z, X)
        return 0.5 * np.vdot(X, G) - 0.25 * np.dot(rho, z)

    def hvp(self, H, X, D):
        if self.at is not X:
            self.at, self.main = X, 2 + self.solve(np.vecdot(X, X))
        z = self.solve(np.vecdot(X, D))
        self.times(H, self.main, D)
        H += (2 * z)[:, None] * X


class Brockett:
    """f(X) = 1/2 tr(X'BXC), gradient BXC."""

    bounded = False

    def __init__(self, n, p, B, C):
        self.n, self.p, self.B, self.C = n, p, B, C
        self.BX, self.XBX = np.empty((n, p)), np.empty((p, p))

    def second(self, G, X):
        np.matmul(self.B, X, out=self.BX)
        np.matmul(self.BX, self.C, out=G)

    def f(self, X):
        np.matmul(self.B, X, out=self.BX)
        np.matmul(X.T, self.BX, out=self.XBX)
        return 0.5 * np.vdot(self.XBX, self.C)

    def fg(self, G, X):
        self.second(G, X)
        return 0.5 * np.vdot(X, G)

    def hvp(self, H, X, D):
        self.second(H, D)


class Watched:
    """A problem that counts its evaluations, ends a run at its time limit or at a target value, and keeps a clock that can be stopped."""

    def __init__(self, problem, clock, limit, target):
        self.problem, self.n, self.p, self.bounded = problem, problem.n, problem.p, problem.bounded
        self.clock, self.limit, self.target = clock, limit, target
        self.evaluations = {"f": 0, "grad": 0, "hvp": 0}
        self.began, self.stopped = clock(), 0.0

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
        return self.problem.f(X)

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
        """Ends the run if the projection of X has reached the target. The clock stops, except for the projection that reaches it."""
        if self.target is None:
            return
        before = self.clock()
        P = projection(self.problem)(X)
        projected = self.clock()
        reached = self.problem.f(P) <= self.target
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


def projection(problem):
    """The projection to the manifold of the problem: polar for orthonormal columns"""
    return getattr(problem, "project", polar)


def polar(X):
    """X (X'X)^-1/2, from the eigenvalues of X'X where X is near the manifold."""
    w, V = np.linalg.eigh(X.T @ X)
    if not w[0] > 1e-3:
        U, _, W = np.linalg.svd(X, full_matrices=False)
        return U @ W
    return X @ ((V / np.sqrt(w)) @ V.T)
