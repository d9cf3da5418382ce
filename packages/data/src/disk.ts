export { loadPoint, type Point, requireFileFor, savePoint } from "./points.js";
export { joinedRows, loadRows, saveRows } from "./rows.js";
