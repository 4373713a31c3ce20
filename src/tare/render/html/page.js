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
