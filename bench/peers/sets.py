"""SciPy's SLSQP and trust-constr on the problems of bench/sets/general.ts, and the methods of sets_own.py: a line of JSON for each job on
stdin, a line of JSON back."""
import json
import sys

import numpy as np
import scipy
from scipy.optimize import NonlinearConstraint, minimize

import sets_own


def functions(job):
    n, p = job["n"], job["p"]
    A = np.array(job["A"], float)

    def fg(x):
        X = x.reshape(n, p)
        if job["f"] == "rosenbrock":
            a, b = x[1:] - x[:-1] ** 2, 1 - x[:-1]
            g = np.zeros(n)
            g[:-1] = -400 * x[:-1] * a - 2 * b
            g[1:] += 200 * a
            return 100 * a @ a + b @ b, g
        if job["f"] == "left":
            G = A.reshape(n, n) @ X * np.array(job["weights"])
        else:
            G = X @ A.reshape(p, p)
        return 0.5 * np.vdot(X, G), G.ravel()

    return fg


def equations(job):
    """The manifold and the sums of rows, with their Jacobian"""
    n, p = job["n"], job["p"]
    pairs = [(i, j) for j in range(p) for i in range(j + 1) if i == j or job["manifold"] == "stiefel"]

    def value(x):
        X = x.reshape(n, p)
        c = [X[:, i] @ X[:, j] - (i == j) for i, j in pairs]
        return np.array(c + (list(X.sum(1)) if job["sums"] else []))

    def jacobian(x):
        X = x.reshape(n, p)
        rows = []
        for i, j in pairs:
            J = np.zeros((n, p))
            J[:, i] += X[:, j]
            J[:, j] += X[:, i]
            rows.append(J.ravel())
        for i in range(n if job["sums"] else 0):
            J = np.zeros((n, p))
            J[i] = 1
            rows.append(J.ravel())
        return np.array(rows)

    return value, jacobian


def row_squares(job):
    n, p = job["n"], job["p"]

    def jacobian(x):
        J = np.zeros((n, n, p))
        J[np.arange(n), np.arange(n)] = 2 * x.reshape(n, p)
        return J.reshape(n, n * p)

    return (lambda x: (x.reshape(n, p) ** 2).sum(1)), jacobian


def violation(job, x):
    worst = np.abs(equations(job)[0](x)).max()
    if job["lower"] is not None:
        worst = max(worst, job["lower"] - x.min())
    if job["upper"] is not None:
        worst = max(worst, x.max() - job["upper"])
    if job["rows"] is not None:
        worst = max(worst, row_squares(job)[0](x).max() - job["rows"])
    return float(worst)


def solve(job):
    if job["method"] in sets_own.METHODS:
        return sets_own.METHODS[job["method"]](job)
    fg, count = functions(job), [0]

    def counted(x):
        count[0] += 1
        return fg(x)

    c, Jc = equations(job)
    bounds = [(job["lower"], job["upper"])] * (job["n"] * job["p"])
    options = dict(jac=True, bounds=bounds)
    if job["method"] == "slsqp":
        constraints = [dict(type="eq", fun=c, jac=Jc)]
        if job["rows"] is not None:
            r, Jr = row_squares(job)
            constraints.append(dict(type="ineq", fun=lambda x: job["rows"] - r(x), jac=lambda x: -Jr(x)))
        s = minimize(counted, job["start"], method="SLSQP", constraints=constraints, options=dict(ftol=1e-12, maxiter=1000), **options)
    else:
        constraints = [NonlinearConstraint(c, 0, 0, jac=Jc)]
        if job["rows"] is not None:
            r, Jr = row_squares(job)
            constraints.append(NonlinearConstraint(r, -np.inf, job["rows"], jac=Jr))
        s = minimize(counted, job["start"], method="trust-constr", constraints=constraints, options=dict(gtol=1e-7, xtol=1e-10, maxiter=1000), **options)
    return dict(f=float(fg(s.x)[0]), evaluations=count[0], violation=violation(job, s.x), status=str(s.message))


print(json.dumps(dict(version=scipy.__version__, cdopt=sets_own.cdopt_version())), flush=True)
for line in sys.stdin:
    try:
        print(json.dumps(solve(json.loads(line))), flush=True)
    except Exception as error:  # a method may end in an error of linear algebra
        print(json.dumps(dict(f=None, evaluations=0, violation=None, status=f"{type(error).__name__}: {error}")), flush=True)
