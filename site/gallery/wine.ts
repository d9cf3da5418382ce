/** Thirteen measurements of 178 wines of three growers of one region (Forina et al. 1988, CC BY 4.0). */
import text from "../../examples/data/wine.csv?raw";

const [header, ...records] = text
  .trim()
  .split("\n")
  .map((line) => line.split(","));

export const columns: string[] = header!.slice(0, 13).map((name) => name.replaceAll("_", " "));
export const wines: number[][] = records.map((record) => record.slice(0, 13).map(Number));
/** 0, 1, 2 of each wine */
export const growers: number[] = records.map((record) => Number(record[13]));
export const growerNames: string[] = ["grower 1", "grower 2", "grower 3"];
