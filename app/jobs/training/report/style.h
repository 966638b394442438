// The style sheet of report.html.
#pragma once

namespace app {

inline constexpr const char* kReportStyle = R"css(
:root { --page:#f6f7f9; --card:#fff; --ink:#16202c; --soft:#5d6b7c; --line:#dfe4ea; --accent:#1769c4; --warm:#c4571a; color-scheme: light dark; }
@media (prefers-color-scheme: dark) {
  :root { --page:#12161c; --card:#1a2028; --ink:#e6ebf1; --soft:#95a3b4; --line:#2d3743; --accent:#6cb0ff; --warm:#ffab70; }
}
* { box-sizing: border-box; }
body { margin:0; background:var(--page); color:var(--ink); font:15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
main { max-width:1180px; margin:0 auto; padding:32px 20px 56px; }
h1 { font-size:26px; margin:0 0 2px; letter-spacing:-.01em; }
h2 { font-size:18px; margin:36px 0 12px; }
h3 { font-size:14px; margin:0 0 8px; font-weight:600; }
p { margin:0; } .soft { color:var(--soft); }
.figures { display:grid; grid-template-columns:repeat(auto-fit, minmax(150px, 1fr)); gap:12px; margin-top:22px; }
.card { background:var(--card); border:1px solid var(--line); border-radius:10px; padding:14px; }
.figure .value { font-size:20px; font-weight:650; font-variant-numeric:tabular-nums; white-space:nowrap; }
.figure .value small { font-size:14px; font-weight:500; color:var(--soft); }
.figure .label { color:var(--soft); font-size:13px; }
.charts { display:grid; grid-template-columns:repeat(auto-fit, minmax(min(100%, 320px), 1fr)); gap:12px; }
svg { width:100%; height:auto; display:block; }
.axis { fill:var(--soft); font-size:12px; font-variant-numeric:tabular-nums; } .end { text-anchor:end; } .middle { text-anchor:middle; }
.grid { stroke:var(--line); stroke-width:1; fill:none; } .curve { stroke:var(--accent); stroke-width:2; fill:none; stroke-linejoin:round; }
.dot { fill:var(--accent); }
.view { margin-bottom:14px; } .view header { display:flex; justify-content:space-between; gap:16px; flex-wrap:wrap; margin-bottom:8px; }
.view header b { overflow-wrap:anywhere; } .view header span { font-variant-numeric:tabular-nums; }
.triple { display:grid; grid-template-columns:repeat(3, 1fr); gap:8px; } figure { margin:0; }
figure img { width:100%; height:auto; display:block; border-radius:6px; background:#000; } figcaption { color:var(--soft); font-size:12px; margin-top:3px; }
.picture { position:relative; } .tile { position:absolute; border:2px solid; border-radius:2px; }
.best { color:#35c46a; } .worst { color:#ff5a4d; } tr.poor td { color:var(--warm); }
.scale { display:inline-block; width:110px; height:9px; border-radius:5px; vertical-align:baseline; margin:0 6px;
  background:linear-gradient(90deg, #000004, #420a68, #932667, #dd513a, #fca50a, #fcffa4); }
table { border-collapse:collapse; width:100%; font-variant-numeric:tabular-nums; }
td, th { text-align:left; padding:5px 10px 5px 0; border-bottom:1px solid var(--line); vertical-align:top; overflow-wrap:anywhere; font-weight:400; }
th { color:var(--soft); } .number { text-align:right; }
.settings { columns:3 260px; column-gap:32px; } .settings div { display:flex; justify-content:space-between; gap:12px; border-bottom:1px solid var(--line); padding:4px 0; break-inside:avoid; }
.settings span:last-child { text-align:right; overflow-wrap:anywhere; } .note { border-left:3px solid var(--warm); }
footer { margin-top:36px; color:var(--soft); font-size:13px; }
@media (max-width:640px) { .triple { grid-template-columns:1fr; } }
@media print { body { background:#fff; } .card { break-inside:avoid; } }
)css";

}  // namespace app
