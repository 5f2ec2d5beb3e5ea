// Keeps a page up to date from its stream of events, and sends forms without leaving it.  All works without this.
"use strict";

(() => {
  const live = document.getElementById("live");
  const offline = document.getElementById("offline");
  const last = new Map(); // what the house last said of each part, to leave alone what has not changed

  function partsOf(root) {
    return root.querySelectorAll("[data-part]");
  }

  function remember() {
    if (live) for (const part of partsOf(live)) last.set(part.dataset.part, part.innerHTML);
  }

  // -- replacing parts, with the focus and a half-made choice left where they are

  function keep(part) {
    const active = document.activeElement;
    const kept = { focus: null, within: part.contains(active), values: [], open: [] };
    if (kept.within && active.id) {
      kept.focus = { id: active.id, start: active.selectionStart, end: active.selectionEnd };
    }
    for (const field of part.querySelectorAll("input[id], select[id], textarea[id]")) {
      if (field.value !== field.defaultValue) kept.values.push([field.id, field.value]);
    }
    for (const details of part.querySelectorAll("details[id][open]")) kept.open.push(details.id);
    return kept;
  }

  function restore(part, kept) {
    for (const [id, value] of kept.values) {
      const field = part.querySelector("#" + CSS.escape(id));
      if (field && !field.readOnly) field.value = value;
    }
    for (const id of kept.open) {
      const details = part.querySelector("#" + CSS.escape(id));
      if (details) details.open = true;
    }
    if (!kept.within) return;
    const found = kept.focus && part.querySelector("#" + CSS.escape(kept.focus.id));
    if (found) {
      found.focus({ preventScroll: true });
      try { found.setSelectionRange(kept.focus.start, kept.focus.end); } catch { /* not a text field */ }
    } else {
      if (!part.hasAttribute("tabindex")) part.tabIndex = -1;
      part.focus({ preventScroll: true });
    }
  }

  function replace(part, fresh) {
    const kept = keep(part);
    const keys = new Set([...part.querySelectorAll("[data-key]")].map((each) => each.dataset.key));
    part.className = fresh.className;
    part.replaceChildren(...fresh.childNodes);
    for (const each of part.querySelectorAll("[data-key]")) {
      if (keys.has(each.dataset.key)) each.classList.add("kept");
    }
    restore(part, kept);
    enliven(part);
  }

  function update(root) {
    const fresh = [...partsOf(root)];
    const shown = [...partsOf(live)];
    const same = fresh.length === shown.length &&
      fresh.every((part, n) => part.dataset.part === shown[n].dataset.part);
    if (!same) { // another kind of page: the game has begun, or is over
      const inside = live.contains(document.activeElement);
      live.replaceChildren(...root.childNodes);
      last.clear();
      remember();
      enliven(live);
      if (inside) document.getElementById("main").focus({ preventScroll: true });
      return;
    }
    fresh.forEach((part, n) => {
      const html = part.innerHTML;
      if (last.get(part.dataset.part) === html && shown[n].className === part.className) return;
      last.set(part.dataset.part, html);
      replace(shown[n], part);
    });
  }

  // -- the stream

  let stream = null;
  let seen = live ? live.dataset.after : "";

  function follow() {
    stream = new EventSource(live.dataset.live + "?after=" + encodeURIComponent(seen));
    stream.addEventListener("open", () => { offline.hidden = true; });
    stream.addEventListener("table", (event) => {
      seen = event.lastEventId;
      const template = document.createElement("template");
      template.innerHTML = event.data;
      update(template.content);
    });
    stream.addEventListener("gone", () => {
      stream.close();
      location.assign(live.dataset.gone);
    });
    stream.addEventListener("error", () => {
      offline.hidden = false;
      if (stream.readyState === EventSource.CLOSED) setTimeout(follow, 3000);
    });
  }

  // -- forms

  function enliven(root) {
    for (const button of root.querySelectorAll("button.copy")) button.hidden = false;
  }

  async function send(form, submitter) {
    const body = new URLSearchParams(new FormData(form, submitter));
    const answer = await fetch(form.action, { method: "POST", body, headers: { Accept: "text/html" } });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.getElementById("live");
    if (!fresh) { // another page altogether
      location.assign(live.dataset.gone);
      return;
    }
    document.getElementById("said").replaceChildren(...page.getElementById("said").childNodes);
    form.reset();
    if (Number(fresh.dataset.after) >= Number(seen)) { // else the stream was faster
      seen = fresh.dataset.after;
      update(fresh);
    }
  }

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.dataset.sending) {
      event.preventDefault();
      return;
    }
    form.dataset.sending = "yes"; // a second press is the same press
    if (!live || !form.hasAttribute("data-send")) {
      setTimeout(() => { delete form.dataset.sending; }, 3000);
      return;
    }
    event.preventDefault();
    send(form, event.submitter)
      .catch(() => { offline.hidden = false; })
      .finally(() => { delete form.dataset.sending; });
  });

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("button.copy");
    if (!button) return;
    const field = document.getElementById(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      field.select();
      document.execCommand("copy");
    }
    const said = button.innerHTML;
    button.textContent = button.dataset.done;
    setTimeout(() => { button.innerHTML = said; }, 2000);
  });

  // -- the clock

  setInterval(() => {
    for (const clock of document.querySelectorAll("[data-left]")) {
      const left = Math.max(0, Number(clock.dataset.left) - 1);
      clock.dataset.left = left;
      clock.textContent = Math.floor(left / 60) + ":" + String(left % 60).padStart(2, "0");
    }
  }, 1000);

  enliven(document);
  remember();
  if (live) {
    addEventListener("pagehide", () => { if (stream) stream.close(); });
    addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
    follow();
  }
})();
