/** Objectives to begin with. */

export interface Example {
  name: string;
  title: string;
  n: number;
  p: number;
  code: string;
}

export const examples: readonly Example[] = [
  {
    name: "eigenvectors",
    title: "Lowest eigenvectors",
    n: 60,
    p: 4,
    code: `// f(X) = ½ tr(XᵀAX): the columns of X will span the lowest eigenvectors of A
const A = symmetric(n);
return scale(0.5, trace(mul(t(X), A, X)));
`,
  },
  {
    name: "density",
    title: "Nonlinear eigenvalue problem",
    n: 100,
    p: 5,
    code: `// ½ tr(XᵀLX) + ¼ ρᵀL⁻¹ρ with the density ρ = diag(XXᵀ)
const L = tridiagonal(-1, 2, -1);
const rho = rowSums(square(X));
return add(
  scale(0.5, trace(mul(t(X), L, X))),
  scale(0.25, inner(rho, solve(L, rho))),
);
`,
  },
  {
    name: "ica",
    title: "Independent components (log cosh)",
    n: 8,
    p: 3,
    code: `// contrast of 500 seeded samples; the constraint keeps the components apart
const samples = gaussian(500, n);
return neg(mean(logcosh(mul(samples, X))));
`,
  },
  {
    name: "sparse",
    title: "Principal components with few entries",
    n: 30,
    p: 3,
    code: `// variance against a smooth ℓ₁ norm of the loadings
const A = gaussian(80, n);
const variance = scale(1 / 80, norm2(mul(A, X)));
return sub(scale(0.1, sum(smoothAbs(X, 0.01))), variance);
`,
  },
];
