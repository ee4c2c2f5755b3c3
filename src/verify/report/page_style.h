#pragma once

namespace model_validator::verify {

/// The page's looks: readable without a network, in the light and in the dark, and on paper.
inline constexpr const char* page_style = R"css(
:root { color-scheme: light dark; --text: #1f2328; --dim: #59636e; --back: #ffffff; --card: #f6f8fa;
  --line: #d1d9e0; --good: #1a7f37; --bad: #cf222e; --bar: #4078c0; --warn: #9a6700; }
@media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --dim: #9198a1; --back: #0d1117;
  --card: #151b23; --line: #3d444d; --good: #3fb950; --bad: #f85149; --bar: #6cb6ff; --warn: #d29922; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1.5rem 4rem; max-width: 72rem; color: var(--text);
  background: var(--back); font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1.15rem; margin: 2.2rem 0 .6rem; }
h3 { font-size: 1rem; margin: 0 0 .6rem; overflow-wrap: anywhere; }
code, td, .message { font-family: ui-monospace, monospace; font-size: .86rem; }
.dim { color: var(--dim); margin: .3rem 0 0; overflow-wrap: anywhere; }
.badge { display: inline-block; padding: .1rem .6rem; border-radius: 1rem; color: #fff; font-size: .85rem;
  font-weight: 600; vertical-align: middle; background: var(--good); }
.badge.different { background: var(--bad); }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: .5rem; }
table { border-collapse: collapse; width: 100%; }
th, td { padding: .35rem .7rem; text-align: left; white-space: nowrap; }
th { color: var(--dim); font-weight: 600; font-size: .82rem; background: var(--card); }
tr + tr td { border-top: 1px solid var(--line); }
.number { text-align: right; } .good { color: var(--good); } .bad { color: var(--bad); }
.card { border: 1px solid var(--line); border-radius: .5rem; padding: 1rem 1.2rem; margin: 1rem 0;
  background: var(--card); }
.card .scroll { background: var(--back); margin-top: .8rem; }
ul { margin: .3rem 0; padding-left: 1.2rem; } li { overflow-wrap: anywhere; }
.verdicts { list-style: none; padding-left: 0; margin-bottom: .8rem; }
.columns { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: 1.5rem; align-items: start; }
@media (max-width: 52rem) { .columns { grid-template-columns: minmax(0, 1fr); } }
dl { display: grid; grid-template-columns: auto auto; gap: .15rem 1rem; margin: 0; font-size: .86rem; }
dt { color: var(--dim); } dd { margin: 0; text-align: right; font-family: ui-monospace, monospace; }
svg { width: 100%; height: auto; display: block; }
svg text { fill: var(--dim); font: 11px system-ui, sans-serif; }
.axis { stroke: var(--dim); } .grid { stroke: var(--line); stroke-dasharray: 2 3; }
.bar, .point { fill: var(--bar); } .exact { fill: var(--good); } .point.beyond { fill: var(--bad); }
.allowed { stroke: var(--warn); stroke-width: 1.5; stroke-dasharray: 5 3; fill: none; }
.first { stroke: var(--bad); stroke-width: 1; }
)css";

} // namespace model_validator::verify
