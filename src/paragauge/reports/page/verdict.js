// The verdict: which pairs are usable, why the others are not, and how many would be at other thresholds.

const verdict = { why: [], sets: new Map(), judged: null, final: null };

function hasVerdict() { return Boolean(data.verdict); }
function usableOf(row) { return data.scores.get(data.verdict.usable)[row]; }
function whyOf(row) { return verdict.why[row] || ''; }

function outcomeOf(row) { const own = data.judged[data.verdict.usable]; return own.outcomes[own.outcome[row]]; }
function findingsOf(row) { return data.judged[data.verdict.usable].findings[row] || []; }

// A row that lost a number is of the sets `meaning lost` and `meaning lost: number`, and of those of its other findings.
function readOutcomes() {
  const own = data.scores.get(data.verdict.usable), sets = new Map();
  const add = (row, outcome, kind = '') => {
    const name = kind ? `${outcome}: ${kind}` : outcome;
    if (!sets.has(name)) sets.set(name, { outcome, kind, has: new Uint8Array(data.rows), size: 0 });
    const set = sets.get(name);
    if (!set.has[row]) set.size++;
    set.has[row] = 1;
  };
  for (let row = 0; row < data.rows; row++) {
    if (Number.isNaN(own[row])) continue;
    add(row, own[row] ? 'usable' : 'not usable');
    const outcome = outcomeOf(row);
    if (outcome === 'usable') continue;
    add(row, outcome);
    for (const { kind } of findingsOf(row)) if (kind !== outcome) add(row, outcome, kind);
  }
  for (const [text, places] of Object.entries(data.notes[data.verdict.usable] || {})) for (const row of places) verdict.why[row] = text;
  // outcomes by how common they are, each before its kinds
  const rank = set => ['not usable', 'usable'].indexOf(set.outcome), whole = set => sets.get(set.outcome).size;
  const order = [...sets].sort(([, one], [, two]) => rank(two) - rank(one) || whole(two) - whole(one) || one.outcome.localeCompare(two.outcome) || Boolean(one.kind) - Boolean(two.kind) || two.size - one.size);
  verdict.sets = new Map(order);
  verdict.judged = new Uint8Array(data.rows).fill(1);
  for (const row of data.verdict.left_out) verdict.judged[row] = 0;
  verdict.final = new Uint8Array(data.rows);
  for (const row of data.verdict.final) verdict.final[row] = 1;
}

function limitsNow() { return state.limits || [data.verdict.accept, data.verdict.min_changed]; }

// Of each system the share of its pairs that is usable at these thresholds.
function sharesAt([accept, least]) {
  const meaning = data.scores.get(data.verdict.meaning), words = data.scores.get(data.verdict.changed);
  const reached = data.systems.map(() => 0), all = data.systems.map(() => 0);
  for (let row = 0; row < data.rows; row++) {
    if (!verdict.judged[row]) continue;
    all[data.system[row]]++;
    if (meaning[row] >= accept && words[row] >= least && !verdict.final[row]) reached[data.system[row]]++;
  }
  return reached.map((count, place) => (all[place] ? count / all[place] : NaN));
}

function percent(share) { return Number.isNaN(share) ? '–' : `${Math.round(100 * share)}%`; }

function badge(row) {
  const value = usableOf(row), check = outcomeOf(row) === 'check';
  if (Number.isNaN(value)) return element('span', { class: 'badge' }, 'not judged');
  return element('span', { class: `badge ${value ? (check ? 'check' : 'yes') : 'no'}` }, value ? (check ? 'usable, check' : 'usable') : 'not usable');
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
  readOutcomes();
  $('limits').hidden = $('rows-why').parentElement.hidden = false;
  for (const [name, set] of verdict.sets) $('rows-why').append(element('option', { value: name }, `${set.kind ? '\u2003' : ''}${visible(name)} (${set.size.toLocaleString('en')})`));
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
