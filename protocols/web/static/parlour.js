// Keeps a table up to date: patches the parts that have changed, lets what moved fly, rests on what wants to be seen,
// and notices a dead stream.  Everything can be done without it.
"use strict";

// -- on every page: links that are copied
for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const field = document.getElementById(button.dataset.copy);
    field.select();
    try { await navigator.clipboard.writeText(field.value); } catch { document.execCommand("copy"); }
    button.textContent = button.dataset.done;
  });
}

// -- what was promised about a deal, so that it can be held against what is told when the game is over
function remember() {
  const promise = document.querySelector("[data-promise]");
  if (!promise) return;
  try {
    const kept = JSON.parse(localStorage.getItem("promises") || "{}");
    kept[promise.dataset.promise] ??= promise.textContent;
    localStorage.setItem("promises", JSON.stringify(Object.fromEntries(Object.entries(kept).slice(-100))));
  } catch { /* a browser that keeps nothing */ }
}

(() => {
  const live = document.getElementById("live");
  if (!live) return;
  const act = document.getElementById("act"), said = document.getElementById("said");
  const lost = document.getElementById("lost");
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const byId = (id) => id && document.getElementById(id);
  const HEARD = 6000, going = new WeakMap();
  function show(line, ...what) { // for a while
    line.replaceChildren(...what);
    clearTimeout(going.get(line));
    going.set(line, setTimeout(() => line.replaceChildren(), HEARD));
  }
  const box = (each) => each.getBoundingClientRect();

  // -- patching: `from` becomes as `to` is; what has an id keeps its identity, and with it focus, wherever it moves
  let torn = false; // something is not there that was to stay: all must be shown anew
  const KEPT = new Set(["open", "aria-busy"]); // what the reader, or a press under way, has set
  function patch(from, to, claimed, spare) {
    for (const { name } of [...from.attributes])
      if (!to.hasAttribute(name) && !KEPT.has(name)) from.removeAttribute(name);
    for (const { name, value } of to.attributes)
      if (from.getAttribute(name) !== value && !KEPT.has(name)) from.setAttribute(name, value);
    if (from.nodeName === "INPUT" && from.type === "hidden" && from.value !== to.getAttribute("value"))
      from.value = to.getAttribute("value");
    let here = from.firstChild;
    for (const want of [...to.childNodes]) {
      while (here && claimed.has(here)) here = here.nextSibling;
      let have = want.id ? document.getElementById(want.id) : null;
      if (have && (claimed.has(have) || have.nodeName !== want.nodeName || !live.contains(have) || have.contains(from)))
        have = null;
      if (!have && !want.id && here && !here.id && here.nodeName === want.nodeName) have = here;
      const same = want.nodeType === 1 && want.hasAttribute("same"); // it is as it was
      if (same && !have) { torn = true; continue; }
      if (!have) { from.insertBefore(want, here); claimed.add(want); continue; }
      claimed.add(have);
      if (have === here) here = here.nextSibling;
      else if (from.moveBefore && have.isConnected) from.moveBefore(have, here);
      else from.insertBefore(have, here);
      if (same) continue;
      if (want.nodeType === 1) patch(have, want, claimed, spare);
      else if (have.data !== want.data) have.data = want.data;
    }
    for (let each = from.firstChild; each; each = each.nextSibling) if (!claimed.has(each)) spare.push(each);
  }

  // -- flights: what was elsewhere comes from there, what is new from where data-from says, and what goes leaves for
  //    where data-to says; no click is blocked by one
  function fly(each, from) {
    const to = box(each);
    if (!to.width || (Math.abs(from.x - to.x) < 1 && Math.abs(from.y - to.y) < 1)) return;
    const away = `translate(${from.x - to.x}px, ${from.y - to.y}px) scale(${from.width / to.width})`;
    each.animate([{ transform: away, transformOrigin: "0 0" }, { transform: "none", transformOrigin: "0 0" }],
      { duration: 320, easing: "cubic-bezier(.2,.8,.3,1)" });
  }
  function leave(ghost, from, to) {
    ghost.removeAttribute("id");
    ghost.setAttribute("aria-hidden", "true");
    ghost.classList.add("ghost");
    Object.assign(ghost.style, { left: `${from.x}px`, top: `${from.y}px`, width: `${from.width}px` });
    document.body.append(ghost);
    const x = to.x + to.width / 2 - from.x - from.width / 2, y = to.y + to.height / 2 - from.y - from.height / 2;
    ghost.animate([{}, { transform: `translate(${x}px, ${y}px) scale(.35)`, opacity: .2 }], { duration: 420, easing: "ease-in" })
      .finished.finally(() => ghost.remove());
  }

  // -- talk: where it is behind a tab, the tab counts what was said since it was looked at, and the latest is shown a while
  const tab = byId("t-p-talk"), talked = byId("p-talk"), latest = byId("latest");
  const remarks = () => [...document.querySelectorAll("#talk li:not(.soft)")];
  const texts = (lines) => lines.map((each) => each.textContent);
  const unread = (count) => { if (count) tab.dataset.count = count; else delete tab.dataset.count; };
  function count(before, last) {
    const after = texts(remarks());
    let kept = Math.min(before.length, after.length);
    while (kept && before.slice(-kept).join("\n") !== after.slice(0, kept).join("\n")) kept -= 1;
    if (talked.matches(":popover-open")) return;
    unread(Number(tab.dataset.count || 0) + after.length - kept);
    if (kept < after.length && tab.offsetParent) show(latest, ...last.cloneNode(true).childNodes);
  }
  talked?.addEventListener("toggle", () => { unread(0); show(latest); });

  // Where the picked one of several has gone, Chromium may take it for picked still, and lead nobody to the others.
  addEventListener("keydown", (event) => {
    if (event.key !== "Tab") return;
    const groups = new Map();
    for (const each of live.querySelectorAll("[type=radio]"))
      if (each.checked || !groups.has(each.name)) groups.set(each.name, each);
    for (const each of groups.values()) {
      const picked = each.checked;
      each.checked = true; // or it would not look anew
      each.checked = picked;
    }
  });

  function apply(parts, arrived, age, skipped) {
    const claimed = new Set(), spare = [], before = new Map(), talk = tab && parts.talk ? texts(remarks()) : null;
    const still = skipped || calm.matches || document.hidden;
    if (!still) for (const each of live.querySelectorAll("[data-fly]")) 
      before.set(each.id, { at: box(each), node: each, to: each.dataset.to || each.parentElement.dataset.to });
    const focused = document.activeElement, opener = focused?.closest?.("[popover]")?.id;
    for (const [id, html] of Object.entries(parts)) {
      const made = document.createElement("template");
      made.innerHTML = html;
      const part = byId(id), fresh = made.content.getElementById(id);
      if (part && fresh) patch(part, fresh, claimed, spare);
    }
    for (const each of spare) if (!claimed.has(each) && each.isConnected) each.remove();
    if (talk) count(talk, remarks().at(-1));
    if (focused && !focused.isConnected) (byId(`t-${opener}`) || byId("asked"))?.focus?.();
    if (!still) {
      for (const each of live.querySelectorAll("[data-fly]")) {
        const was = before.get(each.id), from = was ? was.at : byId(each.dataset.from) && box(byId(each.dataset.from));
        before.delete(each.id);
        if (from) fly(each, from);
      }
      for (const { at, node, to } of before.values()) {
        if (byId(to) && at.width) leave(node.cloneNode(true), at, box(byId(to)));
      }
    }
    wind(arrived, age);
    remember();
  }

  // -- pace: each frame says for how long it wants to be seen before the next; where more than LATEST is owed all go by
  //    the faster, and only the newest is looked at where that were too fast to follow
  const LATEST = 3000, FASTEST = 1 / 3, queue = [];
  let seq = 0, drawn = live.dataset.drawn, free = 0, waking = 0;
  function pump() {
    clearTimeout(waking);
    const now = performance.now();
    const rests = queue.reduce((sum, each) => sum + (each.rest || 0), 0);
    const pace = Math.min(1, LATEST / rests);
    const hurry = document.hidden || pace < FASTEST || queue.some((each) => each.urgent);
    while (queue.length && (hurry || now >= free)) {
      const frame = queue.shift(), skipped = hurry && queue.length > 0; // only the newest is looked at
      apply(frame.parts, frame.arrived, frame.age || 0, skipped);
      if (torn) { torn = false; drawn = ""; queue.length = 0; return reopen(true); }
      if (skipped) continue;
      free = now + (frame.rest || 0) * pace;
      if (frame.title) document.title = frame.title;
      if (frame.cue) cue();
      if (frame.rest && !hurry) break;
    }
    if (queue.length) waking = setTimeout(pump, Math.max(0, free - performance.now()));
  }
  addEventListener("pointerdown", () => { if (queue.length) { free = 0; pump(); } }, { capture: true }); // impatient: go on

  // -- the stream: numbered frames, a beat that the script sees, and another stream as soon as it is found dead
  const SILENCE = 33000, ANSWER = 2500, OPENING = 10000;
  const OWN = 5000; // for so long a press may be why the place is held at another server
  let link = null, heard = 0, tries = 0, again = 0, over = false, pressed = -OWN;
  function say(words) { lost.textContent = words; lost.classList.toggle("seen", Boolean(words)); }
  function reopen(soon) {
    clearTimeout(again);
    const wait = soon ? 0 : Math.min(15000, 300 * 2 ** tries) * (.5 + Math.random());
    again = setTimeout(open, wait);
  }
  function open() {
    clearTimeout(again);
    if (over) return;
    if (link) { link.onclose = link.onmessage = null; link.close(); }
    const address = new URL(live.dataset.live, location.href);
    address.protocol = address.protocol.replace("http", "ws");
    address.searchParams.set("after", drawn);
    const mine = link = new WebSocket(address);
    seq = 0;
    heard = performance.now();
    setTimeout(() => { if (link === mine && mine.readyState === 0) lose(); }, OPENING);
    mine.onmessage = ({ data }) => {
      heard = performance.now();
      tries = 0;
      say("");
      const frame = JSON.parse(data);
      if (frame.gone) return go(frame.gone);
      if (frame.beat !== undefined) return renew(frame.build);
      if (frame.you !== undefined || frame.told !== undefined) return whisper(frame);
      if (frame.base !== undefined && frame.base !== seq) { drawn = ""; return reopen(true); } // a gap: be shown all
      seq = frame.seq;
      drawn = frame.drawn;
      frame.arrived = heard;
      if (frame.base === undefined) { queue.length = 0; free = 0; }
      queue.push(frame);
      pump();
    };
    mine.onclose = lose;
  }
  function whisper({ you, told }) { // for this browser alone: what it is called, and what was said to it
    const called = document.querySelector("[data-you]"), list = byId("whispers");
    if (you !== undefined && called && document.activeElement !== called) called.value = called.defaultValue = you;
    if (told === undefined) return;
    const line = document.createElement("li");
    line.textContent = told;
    list?.append(line);
    if (!list) said.textContent = told;
  }
  function lose() {
    if (link) { link.onclose = link.onmessage = null; link.close(); link = null; }
    tries += 1;
    if (tries > 1) say(lost.dataset.words);
    reopen(false);
  }
  function go(why) { // never a fight between two tabs: whoever was put out stays so until somebody presses something
    if (why === "taken-over" && performance.now() - pressed < OWN) return reopen(false); // by our own press, at another server
    over = true;
    if (why === "taken-over") say(lost.dataset.gone);
    else location.assign(live.dataset.page);
  }
  function renew(build) { // the house has other looks than this page: once, and not while somebody types
    const typing = [...document.querySelectorAll("input:is([type=text], [type=number], :not([type])), textarea")]
      .some((each) => !each.readOnly && each.value !== each.defaultValue);
    if (build === live.dataset.build || typing || sessionStorage.getItem("renewed") === build) return;
    sessionStorage.setItem("renewed", build);
    location.reload();
  }
  function ask() { // a sleeping laptop, another network, a tab come back: do not believe silence
    if (document.hidden || over) return;
    if (!link || link.readyState > 1) return reopen(true);
    if (link.readyState === 0) return;
    const asked = performance.now(), mine = link;
    mine.send("?");
    setTimeout(() => { if (link === mine && heard < asked) reopen(true); }, ANSWER);
  }
  setInterval(() => { if (link && performance.now() - heard > SILENCE) reopen(true); }, 5000);
  document.addEventListener("visibilitychange", () => { pump(); ask(); });
  for (const each of ["online", "pageshow", "focus"]) addEventListener(each, ask);

  // -- presses: sent without leaving the page
  document.addEventListener("submit", async (event) => {
    const form = event.target, button = event.submitter;
    if (form !== act && !("quiet" in form.dataset)) return;
    event.preventDefault();
    if (button?.getAttribute("aria-busy") || button?.getAttribute("aria-disabled")) return;
    const body = new URLSearchParams(new FormData(form, button));
    button?.setAttribute("aria-busy", "true");
    pressed = performance.now();
    if (form === act) { free = 0; pump(); } // whoever plays has seen the moment that is shown; who talks may not
    try {
      const headers = { Accept: "application/json" };
      const reply = await fetch(form.action, { method: "POST", body, headers, redirect: "error" });
      const answer = await reply.json();
      show(said, answer.said || "");
      if (!link) ask(); // it was answered, so there is somebody to hear
      if (answer.to) location.assign(answer.to);
      if (!answer.said) for (const each of form.elements) if ("typed" in each.dataset) each.value = "";
    } catch {
      show(said, live.dataset.unsent);
    } finally {
      button?.removeAttribute("aria-busy");
    }
  });
  document.addEventListener("keydown", (event) => { // the Enter that ends a composition sends nothing, also where it comes late
    if (event.key === "Enter" && (event.isComposing || event.keyCode === 229)) event.preventDefault();
  }, { capture: true });
  document.addEventListener("keydown", (event) => { // a key presses the button that names it
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.keyCode === 229) return;
    if (event.target.closest?.("input, textarea, select, button:not([aria-disabled]), a, summary, [popover]")) return;
    const found = live.querySelector(`[data-key="${CSS.escape(event.key.toLowerCase())}"]:not([aria-disabled])`);
    if (found) { event.preventDefault(); found.click(); }
  });

  // -- clocks, and cues
  const ends = new WeakMap();
  function wind(arrived, age) {
    for (const bar of live.querySelectorAll("progress[data-left]")) {
      if (ends.get(bar)?.left !== bar.dataset.left)
        ends.set(bar, { left: bar.dataset.left, at: arrived - age + 1000 * bar.dataset.left });
    }
    tick();
  }
  function tick() {
    for (const bar of live.querySelectorAll("progress[data-left]")) {
      const left = Math.max(0, ((ends.get(bar)?.at ?? 0) - performance.now()) / 1000);
      bar.value = left;
      bar.className = left < 10 ? "late" : left < 30 ? "soon" : "";
      const text = bar.nextElementSibling;
      if (text) text.textContent = `${Math.floor(left / 60)}:${String(Math.floor(left % 60)).padStart(2, "0")}`;
    }
  }
  // a sound and a vibration are given to who has asked for them
  const cues = document.querySelectorAll("[data-cue]");
  const asked = (name) => { try { return localStorage.getItem(`cue ${name}`) === "yes"; } catch { return false; } };
  let audio = null;
  function ring() {
    audio ??= new AudioContext();
    const tone = audio.createOscillator(), volume = audio.createGain(), now = audio.currentTime;
    tone.frequency.setValueAtTime(660, now);
    tone.frequency.setValueAtTime(880, now + .12);
    volume.gain.setValueAtTime(.15, now);
    volume.gain.exponentialRampToValueAtTime(.001, now + .4);
    tone.connect(volume).connect(audio.destination);
    tone.start(now);
    tone.stop(now + .4);
    live.dataset.rung = Number(live.dataset.rung || 0) + 1;
  }
  function cue(names = ["sound", "vibration"]) {
    if (names.includes("sound") && asked("sound")) ring();
    if (names.includes("vibration") && asked("vibration")) navigator.vibrate?.(60);
  }
  for (const each of cues) {
    each.closest("fieldset").hidden = false;
    each.checked = asked(each.dataset.cue);
    each.addEventListener("change", () => {
      try { localStorage.setItem(`cue ${each.dataset.cue}`, each.checked ? "yes" : "no"); } catch { each.checked = false; }
      cue([each.dataset.cue]); // as it will be
    });
  }
  setInterval(tick, 500);
  wind(performance.now(), 0);
  remember();
  open();
})();
