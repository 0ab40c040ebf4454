// The verdict: which pairs are usable, why the others are not, and how many would be at other thresholds.

const verdict = { why: [], sets: new Map(), judged: null };

function hasVerdict() { return Boolean(data.verdict); }
function usableOf(row) { return data.scores.get(data.verdict.usable)[row]; }
function whyOf(row) { return verdict.why[row] || ''; }

// `meaning lost (number, name): “2500” → “3500”` is of the sets `meaning lost`, `meaning lost: number`, `meaning lost: name`.
function readReasons() {
  const own = data.scores.get(data.verdict.usable), sets = new Map();
  const made = name => { sets.set(name, { has: new Uint8Array(data.rows), size: 0 }); return sets.get(name); };
  const add = (name, row) => { const set = sets.get(name) || made(name); set.has[row] = 1; set.size++; };
  ['usable', 'not usable', ...data.verdict.never].forEach(made);
  for (let row = 0; row < data.rows; row++) if (!Number.isNaN(own[row])) add(own[row] ? 'usable' : 'not usable', row);
  for (const [text, places] of Object.entries(data.notes[data.verdict.usable] || {})) {
    const [, head, kinds] = /^([^(:]*?)(?: \(([^)]*)\))?(?::|$)/.exec(text) || [null, text, ''];
    for (const row of places) {
      verdict.why[row] = text;
      add(head, row);
      for (const kind of (kinds || '').split(', ').filter(Boolean)) add(`${head}: ${kind}`, row);
    }
  }
  // reasons by how common they are, each before its kinds
  const size = name => sets.get(name).size, head = name => name.split(': ')[0], first = name => ['not usable', 'usable'].indexOf(name);
  const order = [...sets.keys()].sort((one, two) => first(two) - first(one) || size(head(two)) - size(head(one)) || head(one).localeCompare(head(two)) || (one === head(one) ? -1 : two === head(two) ? 1 : size(two) - size(one)));
  verdict.sets = new Map(order.map(name => [name, sets.get(name)]));
  verdict.judged = new Uint8Array(data.rows).fill(1);
  for (const row of data.verdict.left_out) verdict.judged[row] = 0;
}

function limitsNow() { return state.limits || [data.verdict.accept, data.verdict.min_changed]; }

// Of each system the share of its pairs that is usable at these thresholds.
function sharesAt([accept, least]) {
  const meaning = data.scores.get(data.verdict.meaning), words = data.scores.get(data.verdict.changed);
  const reached = data.systems.map(() => 0), all = data.systems.map(() => 0);
  for (let row = 0; row < data.rows; row++) {
    if (!verdict.judged[row]) continue;
    all[data.system[row]]++;
    if (meaning[row] >= accept && words[row] >= least && !verdict.never[row]) reached[data.system[row]]++;
  }
  return reached.map((count, place) => (all[place] ? count / all[place] : NaN));
}

function percent(share) { return Number.isNaN(share) ? '–' : `${Math.round(100 * share)}%`; }

function badge(row) {
  const value = usableOf(row), why = whyOf(row);
  if (Number.isNaN(value)) return element('span', { class: 'badge' }, 'not judged');
  return element('span', { class: `badge ${value ? (why ? 'check' : 'yes') : 'no'}` }, value ? (why ? 'usable, check' : 'usable') : 'not usable');
}

// What the reason quotes of source and candidate: [[“2500”, “3500”], …]; nothing is ''.
function quoted(why) {
  const found = [], told = why.slice(why.indexOf(': ') + 2);
  for (const match of told.matchAll(/(?:“(.*?)”|–) → (?:“(.*?)”|–)(?=; [“–]|$)/gs)) found.push([match[1] || '', match[2] || '']);
  if (!found.length && /^“.*”$/s.test(told)) found.push(['', told.slice(1, -1)]);
  return found;
}

// Where words stand in a text, in UTF-16 units; whole words alone.
function placesOf(text, words) {
  const found = [], whole = /[\p{L}\p{M}\p{N}]/u;
  for (const one of words.filter(Boolean)) {
    for (let at = text.indexOf(one); at >= 0; at = text.indexOf(one, at + one.length)) {
      const before = text.slice(0, at).match(/.$/su), after = text.slice(at + one.length).match(/^./su);
      const cut = (before && whole.test(before[0]) && whole.test(one[0])) || (after && whole.test(after[0]) && whole.test(one.slice(-1)));
      if (!cut) found.push([at, at + one.length]);
    }
  }
  return found;
}

function drawLimits() {
  const [accept, least] = limitsNow(), shares = sharesAt([accept, least]);
  for (const [id, value] of [['limit-meaning', accept], ['limit-changed', least]]) {
    $(id).value = String(value); $(`${id}-value`).textContent = String(+value.toFixed(4));
  }
  const order = data.systems.map((_, place) => place).sort((one, two) => (shares[two] || 0) - (shares[one] || 0));
  $('limits-shares').replaceChildren('usable: ', ...order.flatMap((place, rank) => [rank ? ', ' : '', element('span', {}, element('span', { class: `dot c${place % 10}` }), `${visible(data.systems[place])} ${percent(shares[place])}`)]));
  $('limits-reset').disabled = !state.limits;
}

function startVerdict() {
  if (!hasVerdict()) return;
  readReasons();
  verdict.never = new Uint8Array(data.rows).map((_, row) => data.verdict.never.some(name => verdict.sets.get(name).has[row]));
  $('limits').hidden = $('rows-why').parentElement.hidden = false;
  for (const [name, places] of verdict.sets) if (places.size) $('rows-why').append(element('option', { value: name }, `${name.includes(': ') ? '\u2003' : ''}${visible(name)} (${places.size.toLocaleString('en')})`));
  $('rows-why').addEventListener('change', () => { state.why = $('rows-why').value; changed('rows'); });
  for (const button of document.querySelectorAll('[data-why]')) {
    button.addEventListener('click', () => {
      const own = data.systems.indexOf(button.dataset.of);
      state.why = button.dataset.why;
      state.hidden = new Set(data.systems.map((_, place) => place).filter(place => place !== own));
      changed('all'); $('map-box').scrollIntoView();
    });
  }
  let waiting = false; // many pairs take a while to draw: once a frame, however far the slider moved
  for (const [moved, id] of ['limit-meaning', 'limit-changed'].entries()) {
    $(id).addEventListener('input', () => {
      const limits = [...limitsNow()];
      limits[moved] = +$(id).value;
      state.limits = limits;
      if (!waiting) requestAnimationFrame(() => { waiting = false; changed('limits'); });
      waiting = true;
    });
  }
  $('limits-reset').addEventListener('click', () => { state.limits = null; changed('limits'); });
  listeners.push(what => { $('rows-why').value = state.why; if (['all', 'limits'].includes(what)) drawLimits(); });
}
