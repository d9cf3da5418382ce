import { expect, test } from "vitest";
import { pageAdviser } from "../src/blas/pages.js";

/** The calls of madvise, as [bytes into the array, bytes, advice] */
function adviser() {
  const asked: number[][] = [];
  const func = () => (start: unknown, length: unknown, advice: unknown) =>
    asked.push([(start as Uint8Array).byteOffset, length as number, advice as number]);
  return { asked, pages: pageAdviser({ path: "libc", func }, "linux")! };
}

test("large pages are requested for large arrays only, from their first whole page", () => {
  const { asked, pages } = adviser();
  pages.array(new Float64Array(2 ** 20));
  expect(asked).toEqual([]);
  const large = new Float64Array(2 ** 23);
  pages.array(large);
  expect(asked).toEqual([[4096 - 16, large.byteLength - (4096 - 16), 14]]);
});

test("no request on other systems or without madvise", () => {
  const func = () => {
    throw new Error("no such function");
  };
  expect(pageAdviser({ path: "libc", func }, "linux")).toBeUndefined();
  expect(pageAdviser({ path: "libc", func: () => () => 0 }, "darwin")).toBeUndefined();
});
