/** The page of the tour: its controls; tour/tour.ts moves it. */
import { indices } from "../tour/indices.js";
import { escapeHtml } from "./highlight.js";
import type { Page } from "./page.js";

const options = (entries: readonly (readonly [string, string])[]): string =>
  entries.map(([value, text]) => `<option value="${value}">${escapeHtml(text)}</option>`).join("");

export function tourPage(): Page {
  const kinds = Object.entries(indices).map(([name, { title }]) => [name, title] as const);
  const data = [
    ["iris", "Irises, 4 columns"],
    ["wine", "Wines, 13 columns"],
    ["rings", "Two hidden rings, 6 columns"],
  ] as const;
  const html = `<h1>A tour of your data</h1>
<p>A table with more columns than a picture has axes, from all sides: the view turns from one plane to the next, and stops where an index is at a local best. Points are the rows, arrows the
columns. Drag the end of an arrow to turn the view yourself; <em>Next</em> then climbs from there. A file that you open, or drop on the picture, stays in this page.</p>
<section class="tour" aria-label="Tour">
<div class="stage">
<canvas tabindex="0" role="img" aria-label="The projection; the space bar pauses it, page up and page down choose an axis, arrow keys move it"></canvas>
<ul class="legend"></ul>
</div>
<div class="panel">
<label for="tour-data">Data</label><select id="tour-data">${options(data)}</select>
<label for="tour-file">or a CSV file of your own</label><input id="tour-file" type="file" accept=".csv,.tsv,.txt,text/csv">
<label for="tour-index">Look for</label><select id="tour-index">${options([...kinds, ["random", "Everything: random planes"]])}</select>
<p class="help"></p>
<label for="tour-class">Colours by</label><select id="tour-class"></select>
<label for="tour-speed">Speed</label><input id="tour-speed" type="range" min="0.2" max="3" step="0.1" value="1">
<div class="controls"><button type="button" class="run">Play</button><button type="button" class="next">Next</button></div>
<p class="status" role="status"></p>
<table><caption>Weights of the columns in the plane</caption><thead><tr><th scope="col">column</th><th scope="col">right</th><th scope="col">up</th></tr></thead><tbody></tbody></table>
</div>
</section>
<h2 id="indices">What is looked for</h2>
<ul>${Object.values(indices)
    .map(({ title, help }) => `<li><strong>${escapeHtml(title)}.</strong> ${escapeHtml(help)}</li>`)
    .join("")}</ul>
<p>Each index is a smooth function of planes in ℝᵈ, and a climb to its next local maximum is one call of <code>minimize</code> on <code>stiefel(d, 2)</code>, from a random plane. Holes and central mass are those of Cook,
Buja and Cabrera (1993) on data whose covariance is the identity; classes apart is the logarithm of Wilks' Λ (Lee and others 2005). Between two planes the view takes the shortest way, along
principal angles, without a turn inside of the plane (Buja and others 2005), as the R packages tourr and langevitour do.</p>`;
  const text = "tour projection pursuit holes central mass discriminants grand tour CSV biplot tourr langevitour";
  return {
    url: "tour.html",
    title: "A tour of your data",
    html,
    sections: [{ heading: "", id: "", level: 1, text }],
    scripts: ["tour.js"],
    shape: "wide",
    part: "gallery",
  };
}
