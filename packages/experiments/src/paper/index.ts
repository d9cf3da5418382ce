export { brockett } from "./brockett.js";
export { chooseCompetitors, competitorNames } from "./competitors.js";
export { noeig, noeigParts } from "./noeig.js";
export { paperRow, paperTables, type TableId } from "./paper-tables.js";
export { INSTANCE_SEED, MAX_ITERATIONS, type Plan, type Size, type Task, TOLERANCE, taskKey, tasksOf } from "./plan.js";
export { type Curve, type RunRecord, runTask } from "./run-task.js";
export { type Cell, type FigureSummary, type Profile, type Summary, summarise, type TableSummary } from "./summary.js";
