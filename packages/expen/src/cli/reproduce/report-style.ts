/** The style sheet of the report: light, dark and print. */
export const reportStyle = `
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #68717c; --rule: #d5d9de; --strong: #1b1f24; --paper: #ffffff; --band: #f6f7f9;
  --good: #0a7d4b; --bad: #b3261e; --grid: #e9ebee; --code: #f1f3f5;
  --c0: #d55e00; --c1: #0072b2; --c2: #009e73; --c3: #cc79a7; --c4: #e69f00; --c5: #56b4e9; --c6: #1b1f24; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e7eb; --soft: #98a2ad; --rule: #3a4149; --strong: #aab3bd; --paper: #14171b; --band: #1b1f24;
  --good: #4cc38a; --bad: #ff8a80; --grid: #262b31; --code: #20252b;
  --c0: #ff8f4a; --c1: #5cb3ee; --c2: #3ecfa0; --c3: #e8a5cb; --c4: #f2bd4b; --c5: #9ad7f7; --c6: #e4e7eb; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 "Source Serif 4", "Source Serif Pro", Charter, "Bitstream Charter", Georgia, serif; }
main { max-width: 1180px; margin: 0 auto; padding: 48px 28px 80px; }
h1 { font-size: 31px; line-height: 1.2; font-weight: 600; margin: 0 0 6px; letter-spacing: -0.01em; }
h2 { font-size: 21px; font-weight: 600; margin: 52px 0 4px; }
p, li { max-width: 96ch; }
.lead { color: var(--soft); margin: 0 0 24px; }
ul.findings { list-style: none; padding: 0; margin: 20px 0 0; }
ul.findings li { padding: 7px 0 7px 16px; border-left: 3px solid var(--c1); margin: 0 0 8px; }
.caption { color: var(--soft); margin: 0 0 14px; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font: 12.5px/1.45 ui-sans-serif, system-ui, "Segoe UI", "Helvetica Neue", Arial, sans-serif; font-variant-numeric: tabular-nums lining-nums;
  border-top: 2px solid var(--strong); border-bottom: 2px solid var(--strong); }
th { font-weight: 600; text-align: right; padding: 3px 6px; white-space: nowrap; }
thead tr:first-child th { padding-top: 7px; text-align: center; }
thead tr:last-child th { color: var(--soft); font-weight: 400; border-bottom: 1px solid var(--strong); padding-bottom: 5px; }
thead th:first-child, tbody th { text-align: left !important; }
td { text-align: right; padding: 2.5px 6px; white-space: nowrap; }
tbody th { font-weight: 400; }
tr.group td { text-align: left; font-weight: 600; padding-top: 10px; border-top: 1px solid var(--rule); }
tbody tr.group:first-child td { border-top: 0; }
tr.own th, tr.own td { background: var(--band); }
td.paper { color: var(--soft); }
td.best { font-weight: 650; }
.good { color: var(--good); } .bad { color: var(--bad); }
td.note { text-align: left; white-space: normal; color: var(--bad); }
.panels { display: grid; grid-template-columns: repeat(3, 1fr); gap: 10px 14px; margin-top: 10px; }
.panels.two { grid-template-columns: repeat(2, 1fr); }
svg.plot { width: 100%; height: auto; display: block; font-family: ui-sans-serif, system-ui, "Segoe UI", "Helvetica Neue", Arial, sans-serif; }
svg .frame { fill: none; stroke: var(--soft); stroke-width: 1; } svg .grid { stroke: var(--grid); stroke-width: 1; } svg .minor { stroke: var(--soft); stroke-width: 0.7; }
svg .tick { font-size: 11px; fill: var(--soft); } svg .sup { font-size: 8.5px; } svg .label { font-size: 12px; fill: var(--ink); } svg .title { font-size: 12.5px; font-weight: 600; fill: var(--ink); }
svg .line { fill: none; stroke-width: 1.8; stroke-linejoin: round; }
.s0 { stroke: var(--c0); } .s1 { stroke: var(--c1); stroke-dasharray: 7 3; } .s2 { stroke: var(--c2); stroke-dasharray: 2 2.5; } .s3 { stroke: var(--c3); stroke-dasharray: 8 3 2 3; }
.s4 { stroke: var(--c4); } .s5 { stroke: var(--c5); stroke-dasharray: 5 2; } .s6 { stroke: var(--c6); stroke-width: 2.3 !important; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 22px; margin: 12px 0 2px; padding: 0; list-style: none; font: 13px ui-sans-serif, system-ui, "Segoe UI", Arial, sans-serif; }
.legend svg { width: 34px; height: 10px; vertical-align: middle; margin-right: 6px; } .legend path { fill: none; stroke-width: 2; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 18px; font-size: 15px; } dt { color: var(--soft); } dd { margin: 0; }
code { font: 13px ui-monospace, "SF Mono", Menlo, Consolas, monospace; background: var(--code); padding: 1px 5px; border-radius: 3px; }
@media (max-width: 800px) { .panels, .panels.two { grid-template-columns: 1fr; } main { padding: 28px 16px; } }
@media print { :root { --ink: #000; --soft: #444; --rule: #bbb; --strong: #000; --paper: #fff; --band: #f2f2f2; --grid: #e6e6e6; --code: #f2f2f2; --good: #0a7d4b; --bad: #b3261e;
  --c0: #d55e00; --c1: #0072b2; --c2: #009e73; --c3: #cc79a7; --c4: #e69f00; --c5: #56b4e9; --c6: #000; }
  @page { size: A4 landscape; margin: 14mm; } body { font-size: 11pt; } main { max-width: none; padding: 0; } table { font-size: 8.5pt; } h2 { break-after: avoid; } tr, svg.plot, .panels { break-inside: avoid; } .scroll { overflow: visible; } }
`;
