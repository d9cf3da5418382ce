export { EPS } from "../arrays/scale.js";
