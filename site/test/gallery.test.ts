/** Every program of the gallery, in Node: its numbers, and a picture of finite numbers. */
import { describe, expect, test } from "vitest";
import { programs, strangers } from "../gallery/gallery.js";

test("every program stands in a chapter", () => {
  expect(strangers).toEqual([]);
});
describe.each(programs)("$name", ({ run }) => {
  test("runs", async () => {
    const t0 = performance.now();
    const { text, picture, answer } = await run();
    console.log(text, JSON.stringify(answer).slice(0, 300), (performance.now() - t0).toFixed(0), picture.marks.length);
    expect(picture.marks.length).toBeGreaterThan(3);
  });
});
