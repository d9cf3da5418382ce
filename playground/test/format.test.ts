import { expect, test } from "vitest";
import { fixed, power, sentence, value } from "../src/format.js";

test("numbers have powers of ten and minus signs", () => {
  expect(power(-3.21e-7)).toBe("−3.2·10⁻⁷");
  expect(power(1.23e12, 3)).toBe("1.23·10¹²");
  expect(power(-0.0683)).toBe("−0.0683");
  expect(value(-1.86310745012)).toBe("−1.86310745");
  expect(fixed(-0.0641, 3)).toBe("−0.064");
});

test("sentences of the library get the same numbers and keep their words", () => {
  const text = sentence("smallest Ritz value -5.92e-16 ± 2.38e-7; ‖XᵀX − I‖ = 1.03e+15 (-2 steps of expen-cg)");
  expect(text.replaceAll("\u00a0", " ")).toBe(
    "smallest Ritz value −5.92·10⁻¹⁶ ± 2.38·10⁻⁷; ‖XᵀX − I‖ = 1.03·10¹⁵ (−2 steps of expen-cg)",
  );
  expect(text).toContain("‖XᵀX\u00a0−\u00a0I‖\u00a0=\u00a01.03·10¹⁵");
});
