/** All families of the suite, by name. */
import { components } from "./components.js";
import { densities } from "./densities.js";
import type { Family } from "./family.js";
import { fits } from "./fits.js";
import { forms } from "./forms.js";
import { quadratics } from "./quadratics.js";
import { realData } from "./real-data.js";

export const families: readonly Family[] = [...quadratics, ...fits, ...components, ...forms, ...densities, ...realData];
