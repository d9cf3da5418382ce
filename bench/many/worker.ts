/** A worker with f of one task, which `workerData` names */
import { workerData } from "node:worker_threads";
import { serveItems } from "@expen/solvers/workers";
import { tasks } from "./tasks.js";

const { f, on } = tasks.find(({ name }) => name === workerData)!;
await serveItems(f, { on });
