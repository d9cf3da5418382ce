import { formats, runMutations } from "@expen/testing/data/mutations";
import { expect, test } from "vitest";

const COUNT = process.env.EXPEN_LONG ? 10_000 : 1000;

test.each(formats)(`.%s: ${COUNT} damaged files end in a matrix or in a sentence`, async (format) => {
  const { tried, matrices, sentences, failures } = await runMutations(format, COUNT, 1);
  expect(failures.slice(0, 5)).toEqual([]);
  expect([tried, matrices + sentences]).toEqual([COUNT, COUNT]);
  // both happen: the files are neither untouched nor beyond reading
  expect(matrices).toBeGreaterThan(COUNT / 50);
  expect(sentences).toBeGreaterThan(COUNT / 4);
});
