// How the page looks, on a screen by day and by night and on paper, and its few lines of script. Pictures carry their
// colours as attributes, so that they are whole by themselves; at night the page replaces them one by one.
#include "tare/render/html/page_parts.hpp"

namespace tare::inner::render {

const std::string_view page_style = R"css(
:root{color-scheme:light;--bg:#fff;--fg:#1c2126;--dim:#55606b;--line:#d3d9df;--card:#f5f7f9;--accent:#1f4e79;--good:#176030;--warn:#7a4f00;--bad:#a31919}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
@media (prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}}
body{margin:0;background:var(--bg);color:var(--fg);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,"Liberation Sans","DejaVu Sans",sans-serif}
header,main,footer{max-width:76rem;margin:0 auto;padding:0 1rem}
header{padding-top:1.5rem}
h1{font-size:1.5rem;line-height:1.25;margin:.1rem 0 .4rem;overflow-wrap:anywhere}
h2{font-size:1.25rem;margin:0 0 .6rem}
h3{font-size:1rem;margin:1.2rem 0 .4rem}
p{margin:.5rem 0;max-width:75ch;overflow-wrap:anywhere}
section{border-top:1px solid var(--line);margin-top:2rem;padding-top:1.2rem}
.kind{color:var(--dim);text-transform:uppercase;letter-spacing:.06em;font-size:.8rem;margin:0}
.facts,figcaption,.notes,footer{color:var(--dim);font-size:.9rem}
.verdict{font-size:1.25rem;line-height:1.45;font-weight:600;border-left:.35rem solid var(--accent);padding:.2rem 0 .2rem 1rem;margin:1.2rem 0 1rem}
.winner{font-size:1.05rem}
nav ul{list-style:none;display:flex;flex-wrap:wrap;gap:.2rem 1.1rem;padding:0;margin:.6rem 0 0}
a{color:var(--accent)}
.skip{position:absolute;left:-99rem}
.skip:focus{left:1rem;top:.5rem;background:var(--bg);padding:.3rem .6rem}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,9.5rem),1fr));gap:.8rem;margin:1rem 0}
.tile{background:var(--card);border:1px solid var(--line);border-radius:.5rem;padding:.7rem .9rem}
.tile dt{color:var(--dim);font-size:.85rem}
.tile dd{margin:0}
.tile strong{display:block;font-size:1.5rem;font-variant-numeric:tabular-nums}
.tile span{color:var(--dim);font-size:.85rem}
.two{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,26rem),1fr));gap:1.2rem 2rem;align-items:start}
figure{margin:.6rem 0;min-width:0}
figure svg{display:block;max-width:100%;height:auto}
.reliability figure svg{width:100%;max-width:34rem}
.small svg,.pairs svg{width:100%;max-width:22rem;margin:0 auto}
.small{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,9rem),1fr));gap:.6rem}
.pairs{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,21rem),1fr));gap:1rem}
.small figure,.pairs figure{margin:0;border:1px solid var(--line);border-radius:.5rem;padding:.5rem}
.pairs figure.best{border:2px solid var(--accent)}
.small figcaption,.pairs figcaption{font-size:.82rem;overflow-wrap:anywhere}
.small figcaption b,.pairs figcaption b{color:var(--fg)}
fieldset{border:1px solid var(--line);border-radius:.5rem;padding:.3rem .8rem .5rem;margin:.4rem 0;display:flex;flex-wrap:wrap;gap:.2rem 1rem;min-width:0}
legend{color:var(--dim);font-size:.85rem;padding:0 .3rem}
label{display:inline-flex;align-items:center;gap:.35rem;min-height:1.75rem;cursor:pointer}
.reliability:has(#bins-0:checked) .panel:not(.panel-0),.reliability:has(#bins-1:checked) .panel:not(.panel-1),.reliability:has(#bins-2:checked) .panel:not(.panel-2){display:none}
.reliability:has(#show-band:not(:checked)) .band,.reliability:has(#show-corp:not(:checked)) .corp{display:none}
.readout{min-height:1.5em;font-size:.85rem;color:var(--dim);margin:0}
g.bin:hover{opacity:.75}
.scroll{overflow-x:auto;margin:.6rem 0}
table{border-collapse:collapse;font-size:.88rem;font-variant-numeric:tabular-nums;min-width:min(100%,30rem)}
caption{text-align:left;color:var(--dim);padding-bottom:.3rem}
th,td{padding:.28rem .7rem .28rem 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
thead th{vertical-align:bottom;border-bottom:2px solid var(--line);font-weight:600}
tbody th{font-weight:400;min-width:8rem;max-width:22rem;overflow-wrap:anywhere}
#estimators tbody th,#detection tbody th{min-width:15rem}
.n{text-align:right;white-space:nowrap}
.scroll th:first-child{position:sticky;left:0;background:var(--bg)}
.scroll tr.best th:first-child{background:var(--card)}
.nowrap,#calibrators tbody th{white-space:nowrap}
thead th.n{white-space:normal}
#scores td:last-child{min-width:14rem}
td.n,th.n{padding-left:.5rem}
tr.best{background:var(--card);font-weight:600}
tr.best th{font-weight:700}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono","DejaVu Sans Mono",monospace;font-size:.85em}
pre{background:var(--card);border:1px solid var(--line);border-radius:.5rem;padding:.7rem .9rem;overflow-x:auto;position:relative;margin:.6rem 0;white-space:pre-wrap;overflow-wrap:anywhere}
pre.copy{padding-right:5rem}
pre button{position:absolute;top:.4rem;right:.4rem}
button{font:inherit;font-size:.8rem;color:var(--fg);background:var(--bg);border:1px solid var(--line);border-radius:.3rem;padding:.15rem .6rem;cursor:pointer}
summary{cursor:pointer;padding:.2rem 0;color:var(--accent)}
.good{color:var(--good)}.warn{color:var(--warn)}.bad{color:var(--bad)}
.good,.warn,.bad{white-space:nowrap}
.patterns{position:absolute;width:0;height:0;overflow:hidden}
footer{margin-top:2.5rem;padding-bottom:2rem}
dl.settings{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.2rem 1rem;font-size:.9rem}
dl.settings dt{color:var(--dim)}
dl.settings dd{margin:0;overflow-wrap:anywhere}
@media (max-width:30rem){tbody th{min-width:0}#estimators tbody th,#detection tbody th{min-width:9rem;max-width:9rem}header,main,footer{padding:0 .75rem}.reliability figure,.wide{margin-left:-.5rem;margin-right:-.5rem}.reliability figcaption{padding:0 .5rem}.verdict{font-size:1.1rem}dl.settings{grid-template-columns:minmax(0,1fr)}dl.settings dd{margin-bottom:.4rem}}
@media screen and (prefers-color-scheme:dark){
:root{color-scheme:dark;--bg:#14181d;--fg:#e4e8ec;--dim:#a3aeb9;--line:#39424c;--card:#1c2229;--accent:#8fbbe6;--good:#76d391;--warn:#e9bd63;--bad:#ff9b92}
svg [fill="#fff"]{fill:#14181d}svg [stroke="#fff"]{stroke:#14181d}
svg [fill="#222"]{fill:#e4e8ec}svg [stroke="#222"]{stroke:#e4e8ec}
svg [fill="#555"]{fill:#a3aeb9}svg [stroke="#555"]{stroke:#a3aeb9}
svg [stroke="#ddd"]{stroke:#39424c}svg [fill="#999"]{fill:#6b7682}
svg [fill="#6f9bc8"]{fill:#41719f}svg [stroke="#6f9bc8"]{stroke:#41719f}
svg [stroke="#b22222"]{stroke:#ff9b92}svg [fill="#b22222"]{fill:#ff9b92}svg [fill="#dbe9f6"]{fill:#22384d}
svg [stroke="#1f4e79"]{stroke:#8fbbe6}svg [fill="#1f4e79"]{fill:#8fbbe6}
svg [stroke="#7b3294"]{stroke:#dcaef2}svg [stroke="#b35900"]{stroke:#ffb05c}
}
@media print{
@page{size:A4;margin:14mm}
body{font-size:10pt}
header,main,footer{max-width:none;padding:0}
nav,.skip,.readout,pre button,fieldset{display:none}
h2{break-after:avoid}
figure,.tile,tr,pre{break-inside:avoid}
section{margin-top:1rem;padding-top:.6rem}
.scroll{overflow:visible}
table{font-size:7pt;min-width:0}
th,td{padding:.15rem .4rem .15rem 0}
.two{grid-template-columns:1fr 1fr;gap:.6rem}
.pairs{grid-template-columns:repeat(3,1fr)}
.facts,figcaption,.notes,footer,.small figcaption,.pairs figcaption{font-size:8pt}
.nowrap{white-space:normal}
.scroll th:first-child{position:static}
.small{grid-template-columns:repeat(4,1fr)}
.good,.warn,.bad{white-space:normal}
tbody th,#estimators tbody th,#detection tbody th{min-width:0}
.n{white-space:normal}
.reliability figure svg{max-height:11cm}
*{-webkit-print-color-adjust:exact;print-color-adjust:exact}
}
)css";

// Without it everything can still be read: bins have tables, tips are titles, and code can be selected by hand.
const std::string_view page_script = R"js(
for (const figure of document.querySelectorAll(".reliability figure")) {
  const readout = figure.querySelector(".readout");
  if (!readout) continue;
  figure.addEventListener("pointerover", (event) => {
    const bin = event.target.closest("g.bin");
    readout.textContent = bin ? bin.querySelector("title").textContent : "";
  });
}
for (const block of document.querySelectorAll("pre.copy")) {
  const code = block.querySelector("code"), button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  button.setAttribute("aria-label", "Copy: " + block.getAttribute("aria-label"));
  button.addEventListener("click", () => {
    getSelection().selectAllChildren(code);
    Promise.resolve(navigator.clipboard && navigator.clipboard.writeText(code.textContent))
      .then(() => { button.textContent = "Copied"; }, () => { button.textContent = "Selected"; });
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  });
  block.append(button);
}
addEventListener("beforeprint", () => {
  for (const part of document.querySelectorAll("details:not(.long)")) part.open = true;
});
)js";

}  // namespace tare::inner::render
