/** Random formulas, each with a second evaluation by plain loops over arrays of rows that shares no code with the tape. */

import type { Random } from "@expen/linalg";
import {
  inverted,
  map,
  type Rows,
  randomSparse,
  randomTridiagonal,
  times,
  total,
  turned,
} from "@expen/testing/autodiff/rows";
import * as T from "../src/index.js";
import { type Pair, scalars, vectors } from "./random-reductions.js";

const elementwise: [string, (A: T.Expr) => T.Expr, (x: number) => number][] = [
  ["sin", T.sin, Math.sin],
  ["cos", T.cos, Math.cos],
  ["tanh", T.tanh, Math.tanh],
  ["atan", T.atan, Math.atan],
  ["sigmoid", T.sigmoid, (x) => 1 / (1 + Math.exp(-x))],
  ["softplus", T.softplus, (x) => Math.log(1 + Math.exp(x))],
  ["logcosh", T.logcosh, (x) => Math.log(Math.cosh(x))],
  ["square", T.square, (x) => x * x],
  ["exp", T.exp, Math.exp],
];

/** A source of random formulas in X (n×p) of any shape and depth; all values stay of moderate size and away from poles. */
export function formulas(r: Random, X: T.Expr, n: number, p: number) {
  const pick = <A>(list: readonly A[]): A => list[r.integer(list.length)]!;
  const leaves: Pair[] = [];

  function constant(rows: number, cols: number): Pair {
    let data = Array.from({ length: rows }, () => Array.from({ length: cols }, () => r.normal() / Math.sqrt(cols)));
    if (rows === cols && r.uniform() < 0.5) data = map(data, (v, i, j) => (v + data[j]![i]!) / 2);
    return { expr: T.add(data, 0), value: () => data, text: `const${rows}x${cols}` };
  }

  /** entries bounded by about 1, for everything that must not explode */
  function bounded(rows: number, cols: number, depth: number): Pair {
    const A = formula(rows, cols, depth);
    return { expr: T.tanh(A.expr), value: (x) => map(A.value(x), Math.tanh), text: `tanh(${A.text})` };
  }

  /** entries ≥ ½ */
  function positive(rows: number, cols: number, depth: number): Pair {
    const A = formula(rows, cols, depth);
    return {
      expr: T.add(T.square(T.tanh(A.expr)), 0.5),
      value: (x) => map(A.value(x), (v) => Math.tanh(v) ** 2 + 0.5),
      text: `pos(${A.text})`,
    };
  }

  /** well conditioned with positive determinant */
  function regular(size: number, depth: number): Pair {
    const A = bounded(size, size, depth);
    return {
      expr: T.add(T.mul(T.t(A.expr), A.expr), T.identity(size), T.scale(0.1, A.expr)),
      value: (x) => {
        const a = A.value(x);
        return map(times(turned(a), a), (v, i, j) => v + (i === j ? 1 : 0) + 0.1 * a[i]![j]!);
      },
      text: `reg(${A.text})`,
    };
  }

  function formula(rows: number, cols: number, depth: number): Pair {
    if (leaves.length > 0 && r.uniform() < 0.15) {
      const again = leaves.filter(({ expr }) => expr.rows === rows && expr.cols === cols);
      if (again.length > 0) return pick(again);
    }
    const made = fresh(rows, cols, depth);
    leaves.push(made);
    return made;
  }

  function fresh(rows: number, cols: number, depth: number): Pair {
    if (depth <= 0) {
      if (rows === n && cols === p) return { expr: X, value: (x) => x, text: "X" };
      if (rows === p && cols === n) return { expr: T.t(X), value: turned, text: "Xt" };
      if (rows === 1 && cols === 1)
        return { expr: T.inner(X, X), value: (x) => [[total(map(x, (v) => v * v))]], text: "|X|2" };
      if (rows === p && cols === p) return { expr: T.mul(T.t(X), X), value: (x) => times(turned(x), x), text: "XtX" };
      if (cols === 1 && rows === n)
        return { expr: T.rowSums(X), value: (x) => x.map((row) => [total([row])]), text: "rowSums(X)" };
      return constant(rows, cols);
    }
    const d = depth - 1;
    const binary = (
      make: (A: T.Expr, B: T.Expr) => T.Expr,
      f: (a: number, b: number) => number,
      text: string,
      B = formula(rows, cols, d),
    ): Pair => {
      const A = formula(rows, cols, d);
      return {
        expr: make(A.expr, B.expr),
        value: (x) => {
          const b = B.value(x);
          return map(A.value(x), (v, i, j) => f(v, b[i]![j]!));
        },
        text: `${text}(${A.text}, ${B.text})`,
      };
    };
    const choices: (() => Pair)[] = [
      () => {
        // apart, since differences over a kink are no derivatives
        const [A, B, shift] = [bounded(rows, cols, d), bounded(rows, cols, d), r.uniform() < 0.5 ? 3 : -3];
        return {
          expr: T.max(A.expr, T.add(B.expr, shift)),
          value: (x) => {
            const b = B.value(x);
            return map(A.value(x), (a, i, j) => Math.max(a, b[i]![j]! + shift));
          },
          text: `max(${A.text}, ${B.text} + ${shift})`,
        };
      },
      () => {
        const data = constant(rows, cols);
        const C = data.value([]).map((row) => row.map((c) => (c > 0 ? 1 : 0)));
        const [A, B] = [positive(rows, cols, d), formula(rows, cols, d)];
        return {
          expr: T.where(C, T.log(A.expr), B.expr),
          value: (x) => {
            const [a, b] = [A.value(x), B.value(x)];
            return map(C, (c, i, j) => (c ? Math.log(a[i]![j]!) : b[i]![j]!));
          },
          text: `where(log(${A.text}), ${B.text})`,
        };
      },
      () => {
        const A = formula(n, p, d);
        const [down, across] = [
          Array.from({ length: rows }, () => r.integer(n)),
          Array.from({ length: cols }, () => r.integer(p)),
        ];
        return {
          expr: T.cols(T.rows(A.expr, down), across),
          value: (x) => {
            const a = A.value(x);
            return down.map((i) => across.map((j) => a[i]![j]!));
          },
          text: `A(${down}; ${across})(${A.text})`,
        };
      },
      () => {
        const top = 1 + r.integer(Math.max(1, rows - 1));
        if (top >= rows) return formula(rows, cols, d);
        const [A, B] = [formula(top, cols, d), formula(rows - top, cols, d)];
        return {
          expr: T.vstack(A.expr, B.expr),
          value: (x) => [...A.value(x), ...B.value(x)],
          text: `[${A.text}; ${B.text}]`,
        };
      },
      () => {
        const A = formula(cols, rows, d);
        return {
          expr: T.reshape(A.expr, rows),
          value: (x) => {
            const all = A.value(x).flat();
            return Array.from({ length: rows }, (_, i) => all.slice(i * cols, (i + 1) * cols));
          },
          text: `reshape(${A.text})`,
        };
      },
      () =>
        binary(
          (A, B) => T.add(A, B, 0.5),
          (a, b) => a + b + 0.5,
          "add",
        ),
      () => binary(T.sub, (a, b) => a - b, "sub"),
      () => binary(T.hadamard, (a, b) => a * b, "hadamard"),
      () => binary(T.div, (a, b) => a / b, "div", positive(rows, cols, d)),
      () => {
        const A = formula(rows, cols, d);
        const c = r.normal();
        return {
          expr: T.scale(c, T.neg(A.expr)),
          value: (x) => map(A.value(x), (v) => -c * v),
          text: `${c}(${A.text})`,
        };
      },
      () => {
        const [s, A] = [bounded(1, 1, d), formula(rows, cols, d)];
        return {
          expr: T.scale(s.expr, A.expr),
          value: (x) => map(A.value(x), (v) => s.value(x)[0]![0]! * v),
          text: `scale(${s.text}, ${A.text})`,
        };
      },
      () => {
        const [name, f, g] = pick(elementwise);
        const A = bounded(rows, cols, d);
        return { expr: f(A.expr), value: (x) => map(A.value(x), g), text: `${name}(${A.text})` };
      },
      () => {
        const A = positive(rows, cols, d);
        const [f, g] = pick<[(A: T.Expr) => T.Expr, (v: number) => number]>([
          [T.log, Math.log], [T.sqrt, Math.sqrt], [(B) => T.pow(B, 1.5), (v) => v ** 1.5], [(B) => T.pow(B, -2), (v) => v ** -2],
          [(B) => T.smoothAbs(B, 0.3), (v) => Math.sqrt(v * v + 0.09)], [T.abs, Math.abs], [(B) => T.pow(B, 3), (v) => v ** 3],
        ]); // biome-ignore format: pairs
        return { expr: f(A.expr), value: (x) => map(A.value(x), g), text: `root(${A.text})` };
      },
      () => {
        const A = formula(cols, rows, d);
        return { expr: T.t(A.expr), value: (x) => turned(A.value(x)), text: `t(${A.text})` };
      },
      () => {
        const [k, l] = [pick([1, n, p]), pick([n, p])];
        const [A, B, C] = [formula(rows, k, d), bounded(k, l, d), bounded(l, cols, d)];
        return {
          expr: T.mul(A.expr, B.expr, C.expr),
          value: (x) => times(times(A.value(x), B.value(x)), C.value(x)),
          text: `mul(${A.text}, ${B.text}, ${C.text})`,
        };
      },
      () => {
        const A = formula(rows, pick([n, p]), d);
        const B = r.uniform() < 0.5 ? formula(cols, A.expr.cols, d) : formula(A.expr.cols, cols, d);
        const other = B.expr.rows === cols && B.expr.cols === A.expr.cols;
        return {
          expr: T.mul(A.expr, other ? T.t(B.expr) : B.expr),
          value: (x) => times(A.value(x), other ? turned(B.value(x)) : B.value(x)),
          text: `mul(${A.text}, ${B.text})`,
        };
      },
      () => {
        const [v, A] = [formula(rows, 1, d), formula(rows, cols, d)];
        return {
          expr: T.mul(T.diag(v.expr), A.expr),
          value: (x) => map(A.value(x), (a, i) => v.value(x)[i]![0]! * a),
          text: `diag(${v.text})(${A.text})`,
        };
      },
      () => {
        const [v, A] = [formula(cols, 1, d), formula(rows, cols, d)];
        return {
          expr: T.mul(A.expr, T.diag(v.expr)),
          value: (x) => map(A.value(x), (a, _i, j) => v.value(x)[j]![0]! * a),
          text: `(${A.text})diag(${v.text})`,
        };
      },
      () => {
        const S = randomSparse(r, rows, n);
        const A = formula(n, cols, d);
        return { expr: T.mul(S.arg, A.expr), value: (x) => times(S.dense, A.value(x)), text: `sparse(${A.text})` };
      },
      () => {
        const S = randomSparse(r, cols, p);
        const A = formula(rows, p, d);
        return {
          expr: T.mul(A.expr, T.t(S.arg)),
          value: (x) => times(A.value(x), turned(S.dense)),
          text: `(${A.text})sparset`,
        };
      },
      () => {
        const L = randomTridiagonal(r, rows);
        const A = formula(rows, cols, d);
        return {
          expr: T.mul(T.t(L.arg), A.expr),
          value: (x) => times(turned(L.dense), A.value(x)),
          text: `tri(${A.text})`,
        };
      },
      () => {
        const L = randomTridiagonal(r, rows);
        const A = formula(rows, cols, d);
        return {
          expr: T.solve(L.arg, A.expr),
          value: (x) => times(inverted(L.dense).inverse, A.value(x)),
          text: `tri\\(${A.text})`,
        };
      },
      () => {
        const [S, A] = [regular(rows, d), formula(rows, cols, d)];
        return {
          expr: T.solve(S.expr, A.expr),
          value: (x) => times(inverted(S.value(x)).inverse, A.value(x)),
          text: `solve(${S.text}, ${A.text})`,
        };
      },
      () => {
        const A = formula(rows, cols, d);
        const softmax = (list: Rows): Rows => map(list, (v) => Math.exp(v) / total(map(list, Math.exp)));
        if (r.uniform() < 0.5)
          return {
            expr: T.softmax(T.tanh(A.expr)),
            value: (x) => softmax(map(A.value(x), Math.tanh)),
            text: `softmax(${A.text})`,
          };
        return {
          expr: T.rowSoftmax(T.tanh(A.expr)),
          value: (x) => map(A.value(x), Math.tanh).flatMap((row) => softmax([row])),
          text: `rowSoftmax(${A.text})`,
        };
      },
      () => constant(rows, cols),
    ];
    if (rows === cols) {
      choices.push(() => {
        const S = regular(rows, d);
        return { expr: T.inv(S.expr), value: (x) => inverted(S.value(x)).inverse, text: `inv(${S.text})` };
      });
      choices.push(() => {
        const v = formula(rows, 1, d);
        return {
          expr: rows === 1 ? v.expr : T.diag(v.expr),
          value: (x) => v.value(x).map((row, i) => v.value(x).map((_, j) => (i === j ? row[0]! : 0))),
          text: `diag(${v.text})`,
        };
      });
    }
    if (cols === 1 && rows > 1) choices.push(...vectors(formula, rows, pick([n, p]), d));
    if (rows === 1 && cols === 1) {
      const shapes: [number, number][] = [
        [n, p],
        [p, p],
        [n, 1],
        [p, n],
        [n, n],
      ];
      choices.push(...scalars(formula, pick(shapes), () => regular(p, d), d));
    }
    return pick(choices)();
  }

  return formula;
}
