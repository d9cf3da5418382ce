/** Examples of the reference for `expen/manifolds`; site/build/examples.ts says how they are written. */
import { minimize, sphere } from "expen";
import { asMatrix } from "expen/data";
import { circle, power, simplex } from "expen/manifolds";
import { formula, norm2, re, sub, sum } from "expen/tape";

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
