// Deals a game again on the reader's own machine: the commitment from the seed, and every shuffle from seed and words,
// as gamecore/fairness.py says it to the byte.  SHA-256 stands here since a browser has it only where TLS is spoken.
"use strict";
(() => {
  const check = document.getElementById("check"), button = document.getElementById("deal-again");
  if (!check) return;
  const PRIMES = [], BLOCK = 64, SPAN = 1n << 64n;
  for (let n = 2; PRIMES.length < 64; n++) if (PRIMES.every((each) => n % each)) PRIMES.push(n);
  const cut = (x) => Math.floor((x - Math.floor(x)) * 2 ** 32);
  const ROUNDS = PRIMES.map((n) => cut(Math.cbrt(n))), FIRST = PRIMES.slice(0, 8).map((n) => cut(Math.sqrt(n)));
  const turn = (x, n) => (x >>> n) | (x << (32 - n));
  function sha256(bytes) {
    const length = Math.ceil((bytes.length + 9) / BLOCK) * BLOCK, padded = new Uint8Array(length);
    padded.set(bytes);
    padded[bytes.length] = 0x80;
    const view = new DataView(padded.buffer), state = [...FIRST], w = new Array(64);
    view.setUint32(length - 8, Math.floor(bytes.length / 2 ** 29));
    view.setUint32(length - 4, (bytes.length << 3) >>> 0);
    for (let at = 0; at < length; at += BLOCK) {
      for (let i = 0; i < 64; i++) {
        if (i < 16) { w[i] = view.getUint32(at + 4 * i); continue; }
        const x = w[i - 15], y = w[i - 2];
        w[i] = (w[i - 16] + (turn(x, 7) ^ turn(x, 18) ^ (x >>> 3)) + w[i - 7] + (turn(y, 17) ^ turn(y, 19) ^ (y >>> 10))) | 0;
      }
      let [a, b, c, d, e, f, g, h] = state;
      for (let i = 0; i < 64; i++) {
        const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[i] + w[i]) | 0;
        const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
        [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
      }
      [a, b, c, d, e, f, g, h].forEach((each, i) => { state[i] = (state[i] + each) | 0; });
    }
    const out = new DataView(new ArrayBuffer(32));
    state.forEach((each, i) => out.setInt32(4 * i, each));
    return new Uint8Array(out.buffer);
  }
  function hmac(key, bytes) { // a key is no longer than a block here
    const inner = new Uint8Array(BLOCK + bytes.length).fill(0x36, 0, BLOCK), outer = new Uint8Array(BLOCK + 32).fill(0x5c, 0, BLOCK);
    key.forEach((each, i) => { inner[i] ^= each; outer[i] ^= each; });
    inner.set(bytes, BLOCK);
    outer.set(sha256(inner), BLOCK);
    return sha256(outer);
  }
  const escaped = (text) => text.replace(/[\u007f-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const canonical = (value) => Uint8Array.from(escaped(JSON.stringify(value)), (c) => c.charCodeAt(0));
  const hex = (bytes) => Array.from(bytes, (each) => each.toString(16).padStart(2, "0")).join("");
  function* numbers(key, label, use) {
    for (let block = 0; ; block++) {
      const view = new DataView(hmac(key, canonical([label, use, block])).buffer);
      for (let at = 0; at < 32; at += 8) yield view.getBigUint64(at);
    }
  }
  function below(bound, stream) {
    const fair = SPAN - (SPAN % BigInt(bound));
    for (const number of stream) if (number < fair) return Number(number % BigInt(bound));
  }
  function shuffle(key, label, use, pack) {
    const cards = [...pack], source = numbers(key, label, use), stream = { [Symbol.iterator]: () => ({ next: () => source.next() }) };
    for (let last = cards.length - 1; last > 0; last--) {
      const other = below(last + 1, stream);
      [cards[last], cards[other]] = [cards[other], cards[last]];
    }
    return cards;
  }

  const found = document.getElementById("found"), words = found.dataset;
  function tell(holds, sentence, more = "") {
    const line = document.createElement("li");
    line.className = holds === null ? "" : holds ? "holds" : "fails";
    line.textContent = `${holds === null ? "" : holds ? "✓ " : "✗ "}${sentence}`;
    if (more) line.append(Object.assign(document.createElement("code"), { textContent: more }));
    found.append(line);
  }
  function remembered(code, game) {
    try { return JSON.parse(localStorage.getItem("promises") || "{}")[`${code}.${game}`]; } catch { return undefined; }
  }
  function dealAgain() {
    const { code, game, seed, promise } = check.dataset;
    found.replaceChildren();
    const kept = hex(sha256(canonical([code, Number(game), seed]))) === promise, seen = remembered(code, game);
    tell(kept, kept ? words.kept : words.broken);
    if (seen === undefined) tell(null, words.unseen);
    else tell(seen === promise, seen === promise ? words.seen : words.other);
    const bytes = Uint8Array.from(seed.match(/../g), (each) => parseInt(each, 16));
    const key = hmac(bytes, canonical(JSON.parse(check.dataset.words)));
    const shuffles = JSON.parse(check.dataset.shuffles), cards = JSON.parse(check.dataset.cards);
    for (const [label, use, pack, dealt] of shuffles) {
      const same = shuffle(key, label, use, pack).join() === dealt.join();
      tell(same, same ? words.same : words.differs, ` ${label} ${use}: ${dealt.map((card) => cards[card]).join(" ")}`);
    }
    if (!shuffles.length) tell(null, words.none);
  }
  button.hidden = false;
  button.addEventListener("click", dealAgain);
})();
