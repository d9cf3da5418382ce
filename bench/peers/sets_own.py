"""CDOpt and SLSQP on the equations of bench/sets/own.ts, SciPy's fast approximate method for
quadratic assignment, and scikit-learn's k-means and NMF."""
from importlib import metadata

import numpy as np
from scipy.optimize import minimize, quadratic_assignment


def equations(job, np=np):
    """c of the job; np may be that of autograd"""
    n, p = job["n"], job["p"]
    if job["equations"] == "ellipsoid":
        weights = (1 - 0.9 * np.arange(n) / (n - 1)) ** -2.0
        return lambda X: np.array([np.sum(weights * X[:, 0] ** 2) - 1])
    if job["equations"] == "paraboloid":
        signs = np.array([1.0 if i % 2 else -1.0 for i in range(n - 1)])
        return lambda X: np.array([np.sum(signs * X[:-1, 0] ** 2) - X[-1, 0]])
    if job["equations"] == "symplectic":
        # those above the diagonal; the others follow from them, which neither peer takes
        above = np.triu_indices(p, 1)
        J = lambda k: np.kron(np.array([[0.0, 1.0], [-1.0, 0.0]]), np.eye(k // 2))
        Jn, Jp = J(n), J(p)
        return lambda X: (X.T @ (Jn @ X) - Jp)[above]
    upper = np.triu_indices(p)
    return lambda X: np.concatenate([(X.T @ X - np.eye(p))[upper], np.sum(X**2, axis=1) - p / n])


def objective(job):
    A, count = np.array(job["A"], float), [0]

    def fg(x):
        count[0] += 1
        return (A @ x, A) if job["isLinear"] else (0.5 * np.sum((x - A) ** 2), x - A)

    return fg, count


def jacobian(c, shape, x):
    """Central differences of any length are exact: c is quadratic."""
    return np.array([(c((x + e).reshape(shape)) - c((x - e).reshape(shape))) / 2 for e in np.eye(x.size)]).T


def judged(job, x, evaluations, status):
    """‖c‖, and the norm of ∇f along the set"""
    shape = (job["n"], job["p"])
    c, (fg, _) = equations(job), objective(job)
    f, g = fg(x)
    J = jacobian(c, shape, x)
    r = g - J.T @ np.linalg.lstsq(J.T, g, rcond=1e-10)[0]
    violation = float(np.linalg.norm(c(x.reshape(shape))))
    return dict(f=float(f), evaluations=evaluations, violation=violation, stationarity=float(np.linalg.norm(r)), status=status)


def slsqp(job):
    shape, c = (job["n"], job["p"]), equations(job)
    fg, count = objective(job)
    equal = dict(type="eq", fun=lambda x: c(x.reshape(shape)), jac=lambda x: jacobian(c, shape, x))
    s = minimize(fg, job["start"], jac=True, method="SLSQP", constraints=[equal], options=dict(ftol=1e-12, maxiter=200))
    return judged(job, s.x, count[0], str(s.message))


def cdopt(job):
    """Its dissolving function of c, differentiated by autograd, minimised by L-BFGS-B as in its examples, with its own choice of β."""
    import autograd.numpy as anp
    import cdopt as package
    from cdopt.manifold_np import basic_manifold_np

    shape, c = (job["n"], job["p"]), equations(job, anp)
    X0 = np.array(job["start"], float).reshape(shape)
    fg, count = objective(job)

    class Own(basic_manifold_np):
        def __init__(self):
            super().__init__("own", shape, c(X0).shape)

        def C(self, X):
            return c(X)

    kept = {"x": None}

    def at(X):
        if kept["x"] is None or not np.array_equal(kept["x"], X):
            f, g = fg(np.asarray(X).ravel())
            kept.update(x=np.array(X), f=f, g=g.reshape(shape))
        return kept

    np.random.seed(1)  # its penalty parameter is drawn
    P = package.core.problem(
        Own(), lambda X: at(X)["f"], obj_grad=lambda X: at(X)["g"], obj_hvp=lambda X, D: D, beta="auto", Xinit=X0
    )
    options = dict(maxcor=10, ftol=0, gtol=1e-7, maxiter=2000, maxfun=2000)
    s = minimize(P.cdf_fun_vec_np, X0.ravel(), jac=P.cdf_grad_vec_np, method="L-BFGS-B", options=options)
    evaluations, X = count[0], s.x.reshape(shape)
    for _ in range(5):  # its map to the set, by which a point near it comes to it
        X = np.asarray(P.manifold.A(X))
    return judged(job, X.ravel() if np.all(np.isfinite(X)) else s.x, evaluations, str(s.message))


def faq(job):
    """The best of 20 random starts, each with exchanges of two after it"""
    n = job["n"]
    A, B = (np.array(job[key], float).reshape(n, n) for key in ("first", "second"))
    rng, best = np.random.default_rng(job["seed"]), np.inf
    for _ in range(20):
        start = quadratic_assignment(A, B, method="faq", options=dict(P0="randomized", rng=rng))
        guess = np.column_stack([np.arange(n), start.col_ind])
        end = quadratic_assignment(A, B, method="2opt", options=dict(partial_guess=guess, rng=rng))
        best = min(best, start.fun, end.fun)
    return dict(f=float(best), evaluations=0, violation=0.0, status="")


def cdopt_version():
    try:
        return metadata.version("cdopt")
    except metadata.PackageNotFoundError:
        return None


def clusters(job):
    """k-means from ten starts, or the largest weights of a nonnegative factorization from a random start"""
    A, p, seed = np.array(job["A"], float).reshape(job["rows"], -1), job["p"], job["seed"]
    if job["method"] == "kmeans":
        from sklearn.cluster import KMeans

        labels = KMeans(p, n_init=10, random_state=seed).fit(A).labels_
    else:
        from sklearn.decomposition import NMF

        labels = NMF(p, init="random", random_state=seed, max_iter=1000).fit_transform(A).argmax(1)
    return dict(f=None, evaluations=0, violation=0.0, status="", labels=labels.tolist())


METHODS = {"kmeans": clusters, "nmf": clusters, "slsqp-own": slsqp, "cdopt": cdopt, "faq": faq}
