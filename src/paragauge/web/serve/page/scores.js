// Scores as you type: a moment after the last key, and what was asked before is given up.

const WAIT = 200; // milliseconds without a key
const scored = { texts: null, answer: null, chosen: 0, asking: null, timer: null };

function textsNow() {
  return { source: $('source').value.trim(), candidates: linesOf('candidates'), references: linesOf('references'), metrics: chosenMetrics() };
}

function later() {
  keepTexts();
  clearTimeout(scored.timer);
  if (scored.asking) scored.asking.abort();
  $('table').classList.add('old');
  scored.timer = setTimeout(score, WAIT);
}

async function score() {
  clearTimeout(scored.timer);
  if (scored.asking) scored.asking.abort();
  const texts = textsNow();
  if (!texts.source || !texts.candidates.length) { forget(); return; }
  const own = scored.asking = new AbortController();
  const rows = texts.candidates.map(candidate => ({ source: texts.source, candidate, references: texts.references }));
  const slow = setTimeout(() => { $('scoring').textContent = 'Scoring …'; }, 400);
  try {
    const answer = await send('/api/score', { rows, explain: true, ...(texts.metrics ? { metrics: texts.metrics } : {}) }, own.signal);
    Object.assign(scored, { texts, answer, chosen: Math.min(scored.chosen, texts.candidates.length - 1) });
    drawScores();
    refuse('');
  } catch (error) {
    if (error.name !== 'AbortError') refuse(error.message);
  } finally {
    clearTimeout(slow);
    if (scored.asking === own) { scored.asking = null; $('scoring').textContent = ''; }
  }
}

function refuse(sentence) {
  $('problem').textContent = visible(sentence);
  $('problem').hidden = !sentence;
}

function forget() {
  scored.answer = null;
  refuse('');
  for (const id of ['table', 'why', 'warnings']) $(id).hidden = true;
  $('nothing').hidden = false;
}

function isVerdict(metric) { return metric.name.split(':')[0] === 'usable'; }

// The verdict first, then what it is made of.
function inOrder(metrics) {
  const rank = metric => ['usable', 'meaning', 'changed'].indexOf(metric.name.split(':')[0]);
  return [...metrics].sort((one, two) => (rank(one) < 0 ? 9 : rank(one)) - (rank(two) < 0 ? 9 : rank(two)));
}

function judgedAs(verdict) {
  if (verdict.usable === null) return element('span', { class: 'badge' }, 'not judged');
  const check = verdict.outcome === 'check';
  return element('span', { class: `badge ${check ? 'check' : verdict.usable ? 'yes' : 'no'}` }, check ? 'usable, check' : verdict.usable ? 'usable' : 'not usable');
}

// Short, as there is little room: what it is, and the kinds of what was found.
function reason({ usable, outcome, findings }) {
  const kinds = [...new Set(findings.map(one => one.kind))].filter(kind => kind !== outcome), told = kinds.length ? `(${kinds.join(', ')})` : '';
  const parts = usable === null || usable ? [told] : [outcome, told];
  return element('small', { class: 'reason' }, visible(parts.filter(Boolean).join(' ')));
}

function scoreCell(metric, cell, row) {
  if (isVerdict(metric) && row.verdict) {
    return element('td', {}, judgedAs(row.verdict), reason(row.verdict));
  }
  return element('td', { class: 'number', title: cell.reason || cell.note || '' }, shownScore(metric, cell));
}

function drawScores() {
  const { answer, texts } = scored, metrics = inOrder(answer.metrics);
  const head = element('tr', {}, element('th', { scope: 'col' }, 'candidate'),
    ...metrics.map(metric => element('th', { scope: 'col', class: isVerdict(metric) ? '' : 'number', title: metric.title }, metric.name + (metric.higher_is_better ? ' ↑' : ' ↓'))));
  const lines = answer.rows.map((row, place) => {
    const button = element('button', { type: 'button', class: 'pick', dir: 'auto', 'aria-pressed': String(place === scored.chosen) }, visible(texts.candidates[place]));
    const line = element('tr', { class: place === scored.chosen ? 'chosen' : '' }, element('td', {}, button), ...metrics.map(metric => scoreCell(metric, row.scores[metric.name], row)));
    line.addEventListener('click', () => choose(place));
    return line;
  });
  $('table').replaceChildren(element('caption', { class: 'aside' }, 'Scores of the candidates'), element('thead', {}, head), element('tbody', {}, ...lines));
  $('table').classList.remove('old');
  $('table').hidden = false;
  $('nothing').hidden = true;
  $('warnings').replaceChildren(...answer.warnings.map(sentence => element('li', {}, visible(sentence))));
  $('warnings').hidden = !answer.warnings.length;
  drawWhy(texts, answer, scored.chosen, choose);
  document.documentElement.dataset.scored = String(answer.rows.length);
}

function choose(place) {
  scored.chosen = place;
  const had = document.activeElement && document.activeElement.classList.contains('pick');
  drawScores();
  if (had) document.querySelectorAll('#table .pick')[place].focus();
}
