import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { csvReader, csvText, readCsv } from "../src/csv.js";
import { DataError } from "../src/loaded.js";

const numbers = (text: string): number[][] => {
  const { rows, cols, data } = readCsv(text).matrix;
  return Array.from({ length: rows }, (_, i) => Array.from(data.subarray(i * cols, (i + 1) * cols)));
};

describe("CSV", () => {
  test.each([",", ";", "\t", " "])("what is written with %j is read, in pieces of any length", (separator) => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 1, max: 9 }),
        fc.infiniteStream(fc.double()),
        (rows, cols, length, s) => {
          const data = Float64Array.from({ length: rows * cols }, () => (s.next().value as number) + 0);
          const text = [...csvText({ rows, cols, data }, separator)].join("");
          const reader = csvReader();
          for (let at = 0; at < text.length; at += length) reader.push(text.slice(at, at + length));
          const { matrix } = reader.end();
          expect(matrix).toEqual({ rows, cols, data: data.map((v) => (v === 0 ? 0 : v)) });
        },
      ),
      { seed: 1 },
    );
  });

  test("more numbers than one block holds", () => {
    const [rows, cols] = [30_000, 40];
    const data = Float64Array.from({ length: rows * cols }, (_, k) => k);
    const reader = csvReader();
    for (const piece of csvText({ rows, cols, data })) reader.push(piece);
    expect(Buffer.from(reader.end().matrix.data.buffer).equals(Buffer.from(data.buffer))).toBe(true);
  });

  test("a header is found and told", () => {
    const { matrix, notes } = readCsv("x, y\n1,2\n3,4\n");
    expect(matrix.rows).toBe(2);
    expect(notes).toEqual(["line 1 is a header: x, y"]);
  });

  test("quotes, blank lines, comments, line ends of Windows, a byte order mark, no last line end", () => {
    expect(numbers('\ufeff# made by hand\r\n"a ""b""","c,\nd"\r\n\r\n"1.5",-2e3\r\n 3 ,"4"')).toEqual([
      [1.5, -2000],
      [3, 4],
    ]);
    expect(numbers("1  2 3\n 4 5   6 \n")).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    expect(numbers('"1" 2\n')).toEqual([[1, 2]]);
  });

  test("decimal commas beside semicolons, nan and inf", () => {
    expect(numbers("1,5;-2,25e1\n3;,5\n")).toEqual([
      [1.5, -22.5],
      [3, 0.5],
    ]);
    expect(readCsv("1,5;2\n").notes).toEqual(["1 decimal commas read as points"]);
    expect(numbers("nan,-inf,Infinity\n")).toEqual([[Number.NaN, -Infinity, Infinity]]);
    expect(readCsv("nan,1\n").notes).toEqual(["1 values are not finite"]);
  });

  test.each([
    ["text", "1,2\n3,abc\n", /line 2, column 2 has the text 'abc'/],
    ["text under a header", "a,b\n1,2\n\n3,x\n", /line 4, column 2 has the text 'x'/],
    ["an empty cell", "1,2\n3,\n", /line 2, column 2 is empty/],
    ["a first line of both", "1,b\n2,3\n", /line 1, column 2 has the text 'b'/],
    ["a line too short", "1,2\n3\n", /line 2 has 1 cells where 2 are expected/],
    ["hexadecimal", "1,0x10\n", /'0x10'/],
    ["a number too large", "1,1e999\n", /'1e999'/],
    ["a date", "1,2020-01-01\n", /'2020-01-01'/],
    ["an open quote", '1,"2\n3,4\n', /quote opened in line 1 is not closed/],
    ["an open quote in a long file", `1,2\n"3,4\n${"5,6\n".repeat(200)}`, /quote opened in line 2/],
    ["nothing", "", /no numbers/],
    ["only a header", "a,b\n", /no numbers/],
  ])("%s is refused with its place", (_, text, words) => {
    expect(() => readCsv(text)).toThrow(DataError);
    expect(() => readCsv(text)).toThrow(words);
  });
});
