import { expect, test } from "vitest";
import { digits } from "../src/numbers.js";

test("small numbers are written alike, so that they can be compared", () => {
  const written = [6.53e-7, 1e-6, 0.00000157, 0.00212, 0.0123, -0.5, 1, 123, 999.6, 1234.5, 0, Number.NaN].map((x) =>
    digits(x),
  );
  expect(written).toEqual("6.53e-7 1.00e-6 1.57e-6 2.12e-3 0.0123 -0.500 1.00 123 1.00e3 1.23e3 0 NaN".split(" "));
  expect(digits(12345.678, 6)).toBe("12345.7");
});

test("what is written reads back as the number, to its digits", () => {
  for (let k = -20; k <= 20; k++) {
    const x = 1.23456789 * 10 ** k;
    expect(Math.abs(Number(digits(x, 6)) / x - 1)).toBeLessThan(1e-5);
  }
});
