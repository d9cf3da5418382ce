import { expect, test } from "vitest";
import { nearest } from "../src/nearest.js";

test("the nearest name, or none where all are far", () => {
  const names = ["expen-cg", "expen-lbfgs", "rtr", "plam"];
  expect(nearest("expen-gc", names)).toBe("expen-cg");
  expect(nearest("EXPEN-LBFG", names)).toBe("expen-lbfgs");
  expect(nearest("rt", names)).toBe("rtr");
  expect(nearest("plam", names)).toBe("plam");
  expect(nearest("qqqqqqqq", names)).toBeUndefined();
  expect(nearest("x", [])).toBeUndefined();
});
