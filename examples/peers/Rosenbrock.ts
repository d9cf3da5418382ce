import { euclidean, minimize } from "expen";
import { add, entry, formula, scale, square, sub } from "expen/tape";

const { X } = await minimize(
  formula((x) => {
    const [a, b] = [entry(x, 0, 0), entry(x, 1, 0)];
    return add(scale(100, square(sub(b, square(a)))), square(sub(a, 1)));
  }),
  { on: euclidean(2), start: [[-1.2], [1]], tol: 1e-10 },
);
console.log(X.data[0], 1);
