"""The same problems with PyTorch on a GPU. Arguments: problem, n, p, relative tolerance, seconds after which a method is stopped.

L-BFGS of torch.optim and conjugate gradients on ExPen; Geoopt's Riemannian conjugate gradients, where it can be imported.

    noeig     f(X) = 1/2 tr(X'LX) + 1/4 r'L^-1 r,  r_i = sum_j X_ij^2,  L = tridiag(-1, 2, -1)
    brockett  f(X) = 1/2 tr(X'BXC), B and C symmetric and dense
    harper    f(X) = 1/2 tr(X'BX), B = tridiag(-1, cos(2 pi i g), -1), g = (sqrt(5) - 1)/2
    h(X) = f(X(I - K/2)) + beta/4 |K|^2,  K = X'X - I

As fast as PyTorch allows: derivatives by hand, L^-1 by two cumulative sums. One line of JSON for each method. The time is from the random
start to f and gradient at the projected end. A short run before it, which does not count, loads what the library loads when it is first
used. A run ends when its gradient is down to the tolerance, looked at in every evaluation, or when its time is over.
"""
import json
import sys
import time

import torch

try:
    import geoopt
    from scipy.optimize._linesearch import scalar_search_wolfe2  # the line search of Geoopt itself
except ImportError:
    geoopt = None

DEVICE, REAL = torch.device("cuda"), torch.float64
WARM = 2  # seconds


class Done(Exception):
    pass


class Brockett:
    def __init__(self, n, p):
        self.B, self.C = symmetric(n), symmetric(p)

    def fg(self, X):
        G = self.B @ X @ self.C
        return 0.5 * torch.vdot(X.view(-1), G.view(-1)), G


def symmetric(n):
    A = torch.randn(n, n, device=DEVICE, dtype=REAL) / (2 * n**0.5)
    return torch.tril(A) + torch.tril(A, -1).T


class Noeig:
    def __init__(self, n, p):
        self.i = torch.arange(1, n + 1, device=DEVICE, dtype=REAL)
        self.n = n

    def solve(self, r):
        """z_i = i (s - c_i) + b_i with running sums c of r and b of j r_j, less i/(n+1) times the sum of j r_j"""
        c = torch.cumsum(r, 0)
        b = torch.cumsum(self.i * r, 0)
        return self.i * (c[-1] - c) + b - self.i * (b[-1] / (self.n + 1))

    def fg(self, X):
        r = (X * X).sum(1)
        z = self.solve(r)
        G = (2 + z)[:, None] * X
        G[1:] -= X[:-1]
        G[:-1] -= X[1:]
        return 0.5 * torch.vdot(X.view(-1), G.view(-1)) - 0.25 * torch.dot(r, z), G


class Harper:
    def __init__(self, n, p):
        g = (5**0.5 - 1) / 2
        self.v = torch.cos(2 * torch.pi * torch.remainder(g * torch.arange(n, device=DEVICE, dtype=REAL), 1))[:, None]

    def fg(self, X):
        G = self.v * X
        G[1:] -= X[:-1]
        G[:-1] -= X[1:]
        return 0.5 * torch.vdot(X.view(-1), G.view(-1)), G


def riemannian(f, X):
    value, G = f.fg(X)
    S = X.T @ G
    return float(value), float(torch.linalg.norm(G - X @ ((S + S.T) / 2)))


def polar(X):
    w, V = torch.linalg.eigh(X.T @ X)
    return X @ (V * w.rsqrt()) @ V.T


class ExPen:
    def __init__(self, f, beta, p):
        self.f, self.beta, self.eye = f, beta, torch.eye(p, device=DEVICE, dtype=REAL)
        self.evaluations, self.target, self.until = 0, 0.0, 0.0

    def fg(self, X):
        K = X.T @ X - self.eye
        T = self.eye - K / 2
        value, G = self.f.fg(X @ T)
        S = X.T @ G
        H = torch.addmm(G @ T, X, self.beta * K - (S + S.T) / 2)
        self.evaluations += 1
        if float(torch.linalg.norm(H)) <= self.target:
            raise Done("converged", X)
        if time.perf_counter() > self.until:
            raise Done("time", X)
        return float(value) + self.beta / 4 * float((K * K).sum()), H


def lbfgs(h, X):
    X = X.clone().requires_grad_(True)
    optimizer = torch.optim.LBFGS([X], lr=1, max_iter=10_000, max_eval=20_000, tolerance_grad=0, tolerance_change=0,
                                  history_size=10, line_search_fn="strong_wolfe")

    def closure():
        with torch.no_grad():
            value, X.grad = h.fg(X.detach())
        return value

    optimizer.step(closure)
    raise Done("iterations", X.detach())


def cg(h, X):
    """Polak and Ribiere's rule, restarted where it is negative, with Armijo's condition and steps by interpolation"""
    value, G = h.fg(X)
    D, gg = -G, torch.vdot(G.view(-1), G.view(-1))
    t = float(1 / gg.sqrt())
    while True:
        slope = float(torch.vdot(G.view(-1), D.view(-1)))
        if slope >= 0:
            D, slope = -G, -float(gg)
        while True:
            trial, Gt = h.fg(X + t * D)
            if trial <= value + 1e-4 * t * slope:
                break
            t = max(0.1 * t, min(0.5 * t, -slope * t * t / (2 * (trial - value - slope * t))))
            if t < 1e-300:
                raise Done("search", X)
        slope_t = float(torch.vdot(Gt.view(-1), D.view(-1)))
        X, value = X + t * D, trial
        beta = max(0.0, float(torch.vdot(Gt.view(-1), (Gt - G).view(-1)) / gg))
        G, gg = Gt, torch.vdot(Gt.view(-1), Gt.view(-1))
        D = beta * D - G
        # the step to the zero of the slope along the last direction
        t = t * slope / (slope - slope_t) if slope_t > slope else 2 * t


def wolfe(phi, derphi, phi0, derphi0, old_phi0, **_):
    """Geoopt's own search lets the slope at 0 be computed again, and c2 = 0.9 is too loose for CG."""
    return scalar_search_wolfe2(phi, derphi, phi0=phi0, old_phi0=old_phi0, derphi0=derphi0, c2=0.4)[0]


def geoopt_cg(h, X):
    """On f itself, over geoopt.EuclideanStiefel; it ends by its own Riemannian gradient"""
    X = geoopt.ManifoldParameter(X.clone(), manifold=geoopt.EuclideanStiefel())

    def closure():
        with torch.no_grad():
            value, X.grad = h.f.fg(X.detach().as_subclass(torch.Tensor))
        h.evaluations += 1
        if time.perf_counter() > h.until:
            raise Done("time", X.detach())
        return float(value)

    optimizer = geoopt.optim.RiemannianLineSearch([X], line_search_method=wolfe, cg_method="pr")
    while True:
        optimizer.step(closure)
        if optimizer.last_step_size is None:
            raise Done("search", X.detach())
        if float(torch.linalg.norm(optimizer.state[X]["new_grad"])) <= h.target:
            raise Done("converged", X.detach())


def run(method, f, n, p, relative, limit):
    torch.cuda.synchronize()
    began = time.perf_counter()
    generator = torch.Generator(device=DEVICE).manual_seed(1)
    X = torch.linalg.qr(torch.randn(n, p, device=DEVICE, dtype=REAL, generator=generator))[0].contiguous()
    _, G = f.fg(X)
    target = relative * riemannian(f, X)[1]
    h = ExPen(f, float(torch.linalg.norm(G)) / 10, p)
    del G
    h.target, h.until = target, began + limit
    try:
        method(h, X)
    except Done as end:
        status, X = end.args
    value, gradient = riemannian(f, polar(X))
    torch.cuda.synchronize()
    return {"seconds": time.perf_counter() - began, "evaluations": h.evaluations, "status": status, "f": value,
            "gradient": gradient, "target": target}


if __name__ == "__main__":
    problem, n, p = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    relative, limit = float(sys.argv[4]), float(sys.argv[5])
    f = {"noeig": Noeig, "brockett": Brockett, "harper": Harper}[problem](n, p)
    methods = {"L-BFGS": lbfgs, "CG": cg, **({"Geoopt CG": geoopt_cg} if geoopt else {})}
    for name, method in methods.items():
        try:
            run(method, f, n, p, relative, WARM)
            best = run(method, f, n, p, relative, limit)
        except Exception as error:  # out of memory, a factorization that fails: said, and the others go on
            best = {"status": str(error).split("\n")[0][:80], **dict.fromkeys(
                ("seconds", "evaluations", "f", "gradient", "target"))}
            torch.cuda.empty_cache()
        print(json.dumps({"method": name, **best}), flush=True)
