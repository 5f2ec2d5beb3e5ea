// The form for a new game: how many cards there are for so many names.
"use strict";

(() => {
  const first = document.getElementById("first");
  const names = document.getElementById("names");
  if (first && names) {
    let touched = first.value !== "";
    first.addEventListener("input", () => { touched = first.value !== ""; });
    const count = () => {
      const lines = names.value.split("\n").filter((each) => each.trim());
      const listed = lines.length === 1 ? lines[0].split(",").filter((each) => each.trim()) : lines;
      const players = listed.length + Number(document.getElementById("more").value || 0);
      first.max = players > 1 ? Math.floor(52 / players) : 26;
      if (!touched) first.value = players > 1 ? first.max : "";
    };
    first.form.addEventListener("submit", () => { if (!touched) first.value = ""; }); // the most
    names.addEventListener("input", count);
    document.getElementById("more").addEventListener("input", count);
    count();
  }
})();
