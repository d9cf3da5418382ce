import { answer } from "./main.js";

console.log(await answer(...process.argv.slice(2)));
