import type { ReadOptions } from "@expen/linalg";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { csvReader, csvText, readCsv } from "../src/csv.js";
import { DataError } from "../src/loaded.js";
import { pieceDecoder } from "../src/text-decoder.js";

const numbers = (text: string, options: ReadOptions = {}): number[][] => {
  const { rows, cols, data } = readCsv(text, options).matrix;
  return Array.from({ length: rows }, (_, i) => Array.from(data.subarray(i * cols, (i + 1) * cols)));
};

describe("CSV", () => {
  test.each([",", ";", "\t", "|", " "])("what is written with %j is read, in pieces of any length", (separator) => {
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
    expect(numbers("1.5D+01,−2\n")).toEqual([[15, -2]]);
    expect(readCsv("nan,1\n").notes).toEqual(["1 values are not finite"]);
  });

  test("what spreadsheets and statistics packages write around a table", () => {
    const table = [
      [1, 2.5],
      [3, 4],
    ];
    const text = "a,b\n1,2.5\n3,4\n";
    for (const [what, other] of Object.entries({
      "line ends of old Macs": text.replaceAll("\n", "\r"),
      "a line that names the separator": `sep=;\r\n${text.replaceAll(",", ";").replace(".", ",").replaceAll("\n", "\r\n")}`,
      "the same, quoted": `"sep=,"\n${text}`,
      bars: text.replaceAll(",", "|"),
      "a separator at the end of each line": text.replaceAll("\n", ",\n"),
      "… but for the header": text.replaceAll("\n", ",\n").replace(",\n", "\n"),
    }))
      expect(numbers(other), what).toEqual(table);
    // an unnamed last column with numbers remains
    expect(numbers("a,\n1,2.5\n3,4\n")).toEqual(table);
  });

  test("names are unique: those that repeat are counted, a column without one has its number; one that counts rows is pointed out", () => {
    const { matrix, notes } = readCsv(",x,x\n0,1,2\n1,3,4\n2,3,9\n");
    expect(matrix.names).toEqual(["column 1", "x", "x (2)"]);
    expect(notes.at(-1)).toBe(
      'column 1 has no name and counts the rows; leave it out by --columns 2-3, or columns: ["2-3"]',
    );
    expect(numbers(",x,x\n0,1,2\n1,3,4\n", { columns: ["x (2)"] })).toEqual([[2], [4]]);
    expect(readCsv(",x\n0,1\n5,3\n").notes.join()).not.toMatch(/counts/);
  });

  test("letters of UTF-8, UTF-16 and Windows-1252, in pieces that end anywhere", async () => {
    const text = "Größe;b\r\n1,5;2\r\n3;4\r\n";
    const utf16 = (mark: boolean, swap: boolean): Uint8Array => {
      const bytes = new Uint8Array(Buffer.from((mark ? "\ufeff" : "") + text, "utf16le"));
      if (swap) for (let i = 0; i < bytes.length; i += 2) bytes.subarray(i, i + 2).reverse();
      return bytes;
    };
    const latin = new Uint8Array(Buffer.from(text, "latin1"));
    const codes = [
      Buffer.from(text),
      latin,
      utf16(true, false),
      utf16(true, true),
      utf16(false, false),
      utf16(false, true),
    ];
    for (const bytes of codes) {
      const { matrix } = readCsv(new Uint8Array(bytes));
      expect(matrix.names).toEqual(["Größe", "b"]);
      expect(Array.from(matrix.data)).toEqual([1.5, 2, 3, 4]);
      for (const size of [7, 16]) {
        const [decoder, reader] = [pieceDecoder(), csvReader()];
        for (let at = 0; at < bytes.length; at += size) reader.push(decoder.decode(bytes.subarray(at, at + size)));
        reader.push(decoder.end());
        expect(Array.from(reader.end().matrix.data)).toEqual([1.5, 2, 3, 4]);
      }
    }
    expect(readCsv(latin).notes[0]).toBe("the file is not UTF-8; its letters are read as Windows-1252");
  });

  test.each([
    ["text", "1,2\n3,abc\n", /line 2, column 2 has the text 'abc'/],
    ["text under a header", "a,b\n1,2\n\n3,x\n", /line 4, column 2 has the text 'x'/],
    ["an empty cell", "1,2\n3,\n", /line 2, column 2 is empty/],
    ["a first line of both", "1,b\n2,3\n", /line 1, column 2 has the text 'b'/],
    ["a line too short", "1,2\n3\n", /line 2 has 1 cell where 2 are expected/],
    ["hexadecimal", "1,0x10\n", /'0x10'/],
    ["a number too large", "1,1e999\n", /'1e999'/],
    ["a date", "1,2020-01-01\n", /'2020-01-01'/],
    ["an open quote", '1,"2\n3,4\n', /quote opened in line 1 is not closed/],
    ["an open quote in a long file", `1,2\n"3,4\n${"5,6\n".repeat(200)}`, /quote opened in line 2/],
    [
      "rows with names and a header without",
      "a,b\nr1,1,2\n",
      /line 2 has 3 cells where 2 are expected; name the first column in line 1 too/,
    ],
    ["a title", "My data of June\na;b;c\n", /line 2 has 1 cell where 4 are expected; remove line 1, if it is a title/],
    ["decimal commas between commas", "a,b\n1,5,2,5\n", /decimal commas need semicolons between the columns/],
    [
      "a percentage",
      "a,b\n1,5%\n",
      /'5%'.*; write it without the percent sign or leave the column out: columns: \["a"\]/,
    ],
    ["money", "1,5 €\n", /write it without the sign of the currency/],
    ["thousands", "a;b\n1.234,5;2\n", /write it without separators of thousands/],
    ["truth", "a,b\n1,TRUE\n", /write 1 and 0/],
    ["a unit", "a,b\n1,3 cm\n", /write the unit in the header alone/],
    ["an error of a spreadsheet", "a,b\n1,#DIV/0!\n", /is '#DIV\/0!' where a number is needed; fill it in/],
    ["a gap of SAS", "1,.\n", /is '\.' where a number is needed; fill it in/],
    ["a workbook", "PK\u0003\u0004 \u0001", /zip archive, as a workbook of Excel is; save its sheet as CSV/],
    ["JSON", "[[1,2],[3,4]]\n", /is JSON; let its name end in \.json/],
    ["a page", "<!DOCTYPE html>\n", /a page of the web or XML/],
    ["nothing", "", /no numbers/],
    ["only a header", "a,b\n", /no numbers/],
  ])("%s is refused with its place", (_, text, words) => {
    expect(() => readCsv(text)).toThrow(DataError);
    expect(() => readCsv(text)).toThrow(words);
  });
});
