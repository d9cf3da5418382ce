/** Fisher's irises (1936): sepal length and width, petal length and width in cm, of fifty flowers of each species. */
import text from "../../examples/data/iris.csv?raw";

const [header, ...records] = text
  .trim()
  .split("\n")
  .map((line) => line.split(","));

export const columns: string[] = header!.slice(0, 4).map((name) => name.replace("_", " "));
export const flowers: number[][] = records.map((record) => record.slice(0, 4).map(Number));
/** 0, 1, 2 of each flower */
export const species: number[] = records.map((record) => Number(record[4]));
export const speciesNames: string[] = ["setosa", "versicolor", "virginica"];
