/** Examples of the reference for `expen/manifolds`; site/build/examples.ts says how they are written. */
import { minimize, specialOrthogonal, sphere, type Tall } from "expen";
import { asMatrix } from "expen/data";
import { circle, fixedRank, flag, ofProducts, power, simplex, unstack } from "expen/manifolds";
import { formula, mul, neg, norm2, re, sub, sum, t, trace } from "expen/tape";

// simplex
{
  // the probabilities nearest to b
  const { matrix: b } = asMatrix([[0.5], [0.9], [0.2]]);
  const { X } = await minimize(
    formula((x) => norm2(sub(x, b))),
    { on: simplex(3) },
  );
  console.log(Array.from(X.data, (v) => v.toFixed(3)).join(" ")); // 0.300 0.700 0.000
}

// flag
{
  // the line of the largest eigenvalue in the plane of the two largest ones, which counts half
  const A = [[1, 0, 0], [0, 5, 0], [0, 0, 3]]; // biome-ignore format: a matrix
  const { fval } = await minimize(
    formula((X) =>
      neg(
        trace(
          mul(t(X), A, X, [
            [2, 0],
            [0, 1],
          ]),
        ),
      ),
    ),
    { on: flag(3, [1, 1]) },
  );
  console.log(fval.toFixed(4)); // -13.0000
}

// circle
{
  // three numbers of modulus 1 with the least sum of real parts
  const { fval } = await minimize(
    formula((z) => sum(re(z as never))),
    { on: circle(3) },
  );
  console.log(fval.toFixed(4)); // -3.0000
}

// power
{
  const on = power(sphere(2), 4);
  console.log(on.text); // power(sphere(2), 4)
}

// fixedRank
{
  // the matrix of rank 1 nearest to B: its largest singular value and vectors
  const { matrix: B } = asMatrix([[3, 0], [0, 2], [0, 0]]); // biome-ignore format: a matrix
  const { X } = await minimize(
    formula(({ U, S, V }) => norm2(sub(mul(U, S, t(V)), B))),
    { on: fixedRank(3, 2, 1) },
  );
  console.log(Math.abs(X.S.data[0]!).toFixed(4)); // 3.0000
}

// ofProducts
{
  // a matrix of rank 1 with the diagonal b: f = ½Σ(X_ii − b_i)² has the gradient W = Diag(X_ii − b_i)
  const b = [3, 2];
  const f = ofProducts(({ U, S, V }, E) => {
    const [u, s, v] = [E.read(U), E.read(S), E.read(V)];
    const w = b.map((b, i) => u[i]! * s[0]! * v[i]! - b);
    const apply = (Y: Tall, Z: Tall) => {
      const product = E.read(Z).map((z, i) => w[i]! * z);
      E.write(Y, product);
    };
    return { f: w.reduce((sum, w) => sum + (w * w) / 2, 0), W: { apply, applyT: apply } };
  });
  const { fval } = await minimize(f, { on: fixedRank(2, 2, 1) });
  console.log(fval.toFixed(4)); // 0.0000
}

// unstack
{
  // two rotations by the largest sum of traces: both are I
  const both = [[1, 0, 1, 0], [0, 1, 0, 1]]; // biome-ignore format: a matrix
  const { X } = await minimize(
    formula((X) => mul(-1, trace(mul(both, X)))),
    { on: power(specialOrthogonal(2), 2) },
  );
  const [first, second] = unstack(X, 2);
  console.log(Array.from(first!.data, Math.round).join(" "), second!.rows); // 1 0 0 1 2
}
