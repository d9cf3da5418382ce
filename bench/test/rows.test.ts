import { expect, test } from "vitest";
import { chooseRows, rowId, TABLES, tablesOf } from "../rows.js";

test("the four tables have 20 rows, 18 different ones", () => {
  expect(Object.values(TABLES).flat()).toHaveLength(20);
  expect(chooseRows(Object.keys(TABLES).join(","))).toHaveLength(18);
});

test("1000×50 stands in two tables of its problem", () => {
  expect(tablesOf({ problem: "noeig", n: 1000, p: 50 })).toEqual(["noeig-n", "noeig-p"]);
  expect(tablesOf({ problem: "brockett", n: 2000, p: 50 })).toEqual(["brockett-n"]);
  expect(tablesOf({ problem: "brockett", n: 30, p: 3 })).toEqual([]);
});

test("rows are chosen by table, by group and one by one, each once", () => {
  expect(chooseRows("noeig:7x7, noeig:7x7").map(rowId)).toEqual(["noeig:7x7"]);
  expect(chooseRows("brockett-p,brockett:1000x50")).toEqual(TABLES["brockett-p"]);
});

test.each(["pca", "noeig:10x20", "noeig:10", "brockett:0x0", "noeig:1000x50x2"])(
  "'%s' is refused with a sentence",
  (text) => {
    expect(() => chooseRows(text)).toThrow(/^rows: '.*' is none of .*such as noeig:1000x50 with n ≥ p\.$/);
  },
);
