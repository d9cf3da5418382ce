/** The tour: its planes, its indices, its tables. */
import { minimize, stiefel } from "@expen/core";
import { random } from "@expen/linalg";
import { describe, expect, test } from "vitest";
import { flowers, species } from "../gallery/iris.js";
import { indices } from "../tour/indices.js";
import { climb, firstFrame, randomFrame, stops } from "../tour/path.js";
import { angles, type Frame, geodesic, orthonormal, withAxisAt } from "../tour/plane.js";
import { eigh } from "../tour/symmetric.js";
import { readTable, sphere, standardise } from "../tour/table.js";

const r = random(1, "tour test");
const flat = (F: Frame) => ({ rows: F.length, cols: 2, data: Float64Array.from(F.flat()) });
const gram = (F: Frame, G: Frame) =>
  [0, 1].flatMap((i) => [0, 1].map((j) => F.reduce((sum, row, k) => sum + row[i]! * G[k]![j]!, 0)));
const near = (a: number[], b: number[], digits = 12) => {
  for (const [i, v] of a.entries()) expect(v).toBeCloseTo(b[i]!, digits);
};

describe("the way between planes", () => {
  test.each([3, 4, 7, 30])("in %d dimensions is a geodesic of constant speed from the first to the second", (d) => {
    for (let trial = 0; trial < 5; trial++) {
      const [F, G] = [randomFrame(d, r), randomFrame(d, r)];
      const path = geodesic(F, G);
      near(path.at(0).flat(), F.flat());
      near(angles(path.at(1), G), [0, 0], 6);
      expect(path.length).toBeCloseTo(Math.hypot(...angles(F, G)), 10);
      for (const t of [0, 0.3, 0.8, 1]) {
        const at = path.at(t);
        near(gram(at, at), [1, 0, 0, 1]);
        expect(Math.hypot(...angles(F, at))).toBeCloseTo(t * path.length, 6);
        // nothing turns inside of the plane: FᵀF' = 0
        const h = 1e-5;
        const [before, after] = [path.at(t - h), path.at(t + h)];
        const speed = at.map((row, k) =>
          row.map((_, j) => (after[k]![j]! - before[k]![j]!) / (2 * h)),
        ) as unknown as Frame;
        near(gram(at, speed), [0, 0, 0, 0], 7);
        expect(Math.sqrt(gram(speed, speed)[0]! + gram(speed, speed)[3]!)).toBeCloseTo(path.length, 6);
      }
    }
  });

  test("from a plane to itself in another basis, or a mirrored one, does not move", () => {
    const F = randomFrame(5, r);
    for (const [c, s, m] of [
      [0.6, 0.8, 1],
      [0.6, 0.8, -1],
      [1, 0, 1],
    ] as const) {
      const path = geodesic(
        F,
        F.map(([x, y]) => [c * x - s * y, m * (s * x + c * y)]),
      );
      expect(path.length).toBeLessThan(1e-6);
      near(path.at(0.5).flat(), F.flat(), 6);
    }
  });

  test("columns that are nearly parallel become orthonormal", () => {
    const F = orthonormal([
      [1, 1],
      [1, 1 + 1e-9],
      [1, 1 - 1e-9],
    ]);
    near(gram(F, F), [1, 0, 0, 1], 10);
  });
});

describe.each(Object.entries(indices))("%s", (name, { make, sphered }) => {
  const standard = standardise(flowers);
  const f = make(sphered ? sphere(standard) : standard, species);
  const F = randomFrame(4, r);

  test("has the gradient of its values", () => {
    const G = flat(firstFrame(4));
    f.grad(G, flat(F));
    const h = 1e-6;
    for (let k = 0; k < 8; k++) {
      const moved = (by: number) => {
        const X = flat(F);
        X.data[k]! += by;
        return f.f(X);
      };
      expect(G.data[k]).toBeCloseTo((moved(h) - moved(-h)) / (2 * h), 6);
    }
  });

  test("is a function of the plane", () => {
    const turned = F.map(([x, y]): [number, number] => [0.6 * x - 0.8 * y, -0.8 * x - 0.6 * y]);
    expect(f.f(flat(turned))).toBeCloseTo(f.f(flat(F)), 10);
  });

  test("a climb ends where no plane beside it is better", async () => {
    const { frame, value } = await climb(f, F);
    expect(value).toBeGreaterThanOrEqual(-f.f(flat(F)));
    expect(-f.f(flat(frame))).toBeCloseTo(value!, 8);
    for (let k = 0; k < 20; k++) {
      const beside = orthonormal(frame.map((row) => row.map((v) => v + 0.01 * r.normal())));
      expect(-f.f(flat(beside)), name).toBeLessThan(value! + 1e-6);
    }
  });
});

test("the plane in which classes are apart is that of the linear discriminants", async () => {
  // Σ log(1 + λ) over the two largest λ of S_b x = λ S_w x; R: MASS::lda(iris): λ = 32.19193, 0.2853910
  const f = indices.classes!.make(standardise(flowers), species);
  const { value } = await climb(f, randomFrame(4, r));
  expect(value).toBeCloseTo(Math.log(1 + 32.19193) + Math.log(1 + 0.285391), 4);
});

test("the plane of most variance has that of the two largest eigenvalues", async () => {
  const rows = standardise(flowers);
  const f = indices.variance!.make(rows, []);
  const { fval } = await minimize(f, { on: stiefel(4, 2) });
  const C = rows[0]!.map((_, i) => rows[0]!.map((__, j) => rows.reduce((sum, row) => sum + row[i]! * row[j]!, 0)));
  const { values } = eigh(C);
  const sorted = [...values].sort((a, b) => b - a);
  expect(-fval).toBeCloseTo((sorted[0]! + sorted[1]!) / values.reduce((a, b) => a + b), 8);
});

test("a tour finds the plane of a hidden ring, and goes on", async () => {
  const d = 6;
  const plane = randomFrame(d, r);
  const points = Array.from({ length: 400 }, () => {
    const a = 2 * Math.PI * r.uniform();
    const noise = Array.from({ length: d }, () => r.normal());
    const inside = [0, 1].map((j) => noise.reduce((sum, v, k) => sum + v * plane[k]![j]!, 0));
    const onRing = [3 * Math.cos(a), 3 * Math.sin(a)];
    return noise.map((v, k) => v + plane[k]!.reduce((sum, p, j) => sum + p * (onRing[j]! - inside[j]!), 0));
  });
  // of rings and noise together no column has another variance than that of its part of the plane
  const rows = points;
  const scaled = rows.map((row) => {
    const inside = [0, 1].map((j) => row.reduce((sum, v, k) => sum + v * plane[k]![j]!, 0));
    return row.map((v, k) => v + plane[k]!.reduce((sum, p, j) => sum + p * inside[j]! * (Math.SQRT2 / 3 - 1), 0));
  });
  const tour = stops(indices.holes!.make(scaled, []), firstFrame(d), 1);
  const found: number[] = [];
  let frame = firstFrame(d);
  for (let k = 0; k < 6; k++) {
    const { value: stop } = await tour.next(frame);
    frame = stop.frame;
    near(gram(frame, frame), [1, 0, 0, 1], 10);
    found.push(Math.hypot(...angles(frame, plane)));
  }
  expect(Math.min(...found)).toBeLessThan(0.25);
});

describe("an axis in the hand", () => {
  const polar = (length: number, angle: number) => [length * Math.cos(angle), length * Math.sin(angle)] as const;

  test.each([3, 4, 7, 30])("in %d dimensions it goes where it is put, and the plane stays orthonormal", (d) => {
    for (let trial = 0; trial < 20; trial++) {
      const [F, k] = [randomFrame(d, r), Math.floor(d * r.uniform())];
      const to = polar(0.99 * r.uniform(), 7 * r.uniform());
      const G = withAxisAt(F, k, to);
      near([...G[k]!], [...to]);
      near(gram(G, G), [1, 0, 0, 1], 9);
      // its own place changes nothing
      if (Math.hypot(...F[k]!) < 0.99) near(withAxisAt(F, k, F[k]!).flat(), F.flat(), 9);
    }
  });

  test("a small step is a small turn; a turn of the hand turns the others as little as can be", () => {
    const F = randomFrame(6, r);
    const [a, b] = F[2]!;
    const G = withAxisAt(F, 2, [a + 1e-5, b - 1e-5]);
    expect(Math.hypot(...angles(F, G))).toBeLessThan(1e-3);
    // among the linear maps M of the other rows with the same MᵀAM this one is the nearest to the identity: it is symmetric
    const H = withAxisAt(F, 2, [0.4, 0.3]);
    for (const angle of [-0.1, 0.1]) {
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      const far = (turn: (x: number, y: number) => [number, number]) =>
        H.reduce((sum, [x, y], i) => {
          const [p, q] = turn(x, y);
          return i === 2 ? sum : sum + (p - F[i]![0]) ** 2 + (q - F[i]![1]) ** 2;
        }, 0);
      expect(far((x, y) => [x, y])).toBeLessThan(far((x, y) => [c * x - s * y, s * x + c * y]));
    }
  });

  test("an axis that fills the plane, and one that is pulled out of it", () => {
    const G = withAxisAt(firstFrame(4), 0, [0.3, 0.4]);
    near([...G[0]!], [0.3, 0.4]);
    near(gram(G, G), [1, 0, 0, 1], 9);
    const H = withAxisAt(randomFrame(4, r), 1, [3, -4]);
    near([...H[1]!], [0.6 * 0.995, -0.8 * 0.995]);
    near(gram(H, H), [1, 0, 0, 1], 9);
  });
});

describe("tables", () => {
  test("columns of numbers are measured, words and whole numbers at the end are classes", () => {
    const { names, rows, classes, left } = readTable(
      '\uFEFFa;"b ""x""";c;kind\r\n1;2;3;"u"\r\n4;5;6.5;v\r\n7;8;;v\r\n1e1;11;12;u\r\n',
    );
    expect(names).toEqual(["a", 'b "x"', "c"]);
    expect(rows).toEqual([
      [1, 2, 3],
      [4, 5, 6.5],
      [10, 11, 12],
    ]);
    expect(classes).toEqual({ kind: ["u", "v", "u"] });
    expect(left).toBe(1);
    expect(
      Object.keys(readTable("a,b,c,species\n1,2,3,0\n2,3,5,1\n3,5,9,0\n1,3,3,1\n2,9,5,1\n3,7,9,0\n").classes),
    ).toEqual(["species"]);
    expect(readTable("1\t2\t3\n2\t3\t5\n3\t5\t9\n4\t4\t4\n").names).toEqual(["column 1", "column 2", "column 3"]);
  });

  test.each([
    ["", "the table has 0 lines; give a header and three rows or more."],
    ["a,b\n1,2\n3,4\n5,6\n", "the table has 2 columns of numbers that vary; a tour needs three or more."],
    ["a,b,c\n1,2,3\n3,4\n5,6,7\n", "line 3 has 2 fields, but the first line has 3; mend the line."],
    ["a,b,c\n1,2,\n3,4,\n5,6,7\n8,9,9\n", "2 rows have a number in every column; a tour needs three or more."],
  ])("%j is refused with one sentence", (text, sentence) => {
    expect(() => readTable(text)).toThrow(sentence);
  });

  test("sphered rows have the identity as covariance, also where a column repeats others", () => {
    const rows = standardise(flowers.map(([a, b, c, d]) => [a!, b!, c!, d!]));
    const Z = sphere(rows);
    const covariance = (i: number, j: number) => Z.reduce((sum, row) => sum + row[i]! * row[j]!, 0) / (Z.length - 1);
    for (const i of [0, 1, 2, 3])
      for (const j of [0, 1, 2, 3]) expect(covariance(i, j)).toBeCloseTo(Number(i === j), 9);
    const singular = sphere(standardise(flowers.map(([a, b]) => [a!, b!, a! + b!])));
    expect(singular.flat().every(Number.isFinite)).toBe(true);
  });
});
