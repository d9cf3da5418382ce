/** What programs of the gallery may import, by the names that they write. */
import * as expen from "expen";
import * as apps from "expen/apps";
import * as data from "expen/data";
import * as eigen from "expen/eigen";
import * as engines from "expen/engines";
import * as methods from "expen/methods";
import * as penalty from "expen/penalty";
import * as problems from "expen/problems";
import * as tape from "expen/tape";
import * as heat from "../gallery/heat.js";
import * as iris from "../gallery/iris.js";
import * as plot from "../gallery/plot.js";
import * as rows from "../gallery/rows.js";
import * as space from "../gallery/space.js";
import * as water from "../gallery/water.js";
import * as wine from "../gallery/wine.js";

export const modules: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  expen,
  "expen/apps": apps,
  "expen/data": data,
  "expen/eigen": eigen,
  "expen/engines": engines,
  "expen/methods": methods,
  "expen/penalty": penalty,
  "expen/problems": problems,
  "expen/tape": tape,
  "../heat.js": heat,
  "../iris.js": iris,
  "../plot.js": plot,
  "../rows.js": rows,
  "../space.js": space,
  "../water.js": water,
  "../wine.js": wine,
};
