// Why the chosen candidate got its scores.

// A threshold on its scale; or what was found, which no score makes up for.
function condition(one) {
  const advice = one.advice ? [element('span', { class: 'advice' }, `To do: ${one.advice}.`)] : [];
  if (one.value === null) return conditionLine(one.met, one.met ? 'no loss of meaning was found' : 'a loss of meaning was found', ...advice);
  const scale = element('div', { class: 'scale', 'aria-hidden': 'true' }), filled = element('div', { class: 'filled' }), least = element('div', { class: 'least' });
  filled.style.width = `${100 * Math.min(1, Math.max(0, one.value))}%`;
  least.style.left = `${100 * Math.min(1, Math.max(0, one.least))}%`;
  scale.append(filled, least);
  const told = `${one.metric} is ${written(one.value, 3)}; at least ${one.least} is needed${one.met ? '' : `, ${written(one.lacks, 3)} more`}`;
  return conditionLine(one.met, told, scale, ...advice);
}

function conditionLine(met, told, ...more) {
  return element('div', { class: `condition ${met ? 'met' : 'unmet'}` }, element('span', { class: 'mark', 'aria-hidden': 'true' }, met ? '✓' : '✗'), element('span', {}, told), ...more);
}

function shownEnd(value) { return String(+value.toPrecision(4)).replace('-', '−'); }

function scoreList(answer, row) {
  return inOrder(answer.metrics).filter(metric => !isVerdict(metric) || !row.verdict).flatMap(metric => {
    const cell = row.scores[metric.name], shown = [shownScore(metric, cell)];
    if (cell.score !== null && metric.low !== null && metric.high !== null) shown.push(element('span', { class: 'note' }, `  (${shownEnd(metric.low)} to ${shownEnd(metric.high)}${metric.higher_is_better ? '' : ', less is better'})`));
    if (ABOUT.has(metric.name)) shown.push(element('small', {}, `${ABOUT.get(metric.name)}.`));
    if (cell.reason) shown.push(element('small', { class: 'told' }, `Undefined: ${visible(cell.reason)}`));
    if (cell.note) shown.push(element('small', { class: 'told' }, visible(cell.note)));
    return [element('dt', { title: metric.signature }, metric.name), element('dd', {}, ...shown)];
  });
}

function drawAlignment(source, candidate, found) {
  if (!found) { $('alignment').replaceChildren(); return; }
  $('alignment').replaceChildren(
    element('h3', {}, `Tokens that ${found.metric} matched`),
    element('p', { class: 'note' }, 'Underlined green: cosine 0.8 or more; ochre: 0.5 or more; red: less. Hover or focus a token to see its match.'),
    element('p', { class: 'label' }, 'source'), tokenLine(source, found.source_tokens, found.candidate_tokens, 'a'),
    element('p', { class: 'label' }, 'candidate'), tokenLine(candidate, found.candidate_tokens, found.source_tokens, 'b'),
    element('p', { id: 'match', class: 'note', 'aria-live': 'polite' }),
  );
}

// The verdict in words, and both texts with what was found.
function drawVerdict(source, candidate, verdict) {
  $('verdict').hidden = !verdict;
  if (!verdict) return;
  const parts = [element('p', {}, judgedAs(verdict), ` ${visible(verdict.why || '')}`)];
  if (verdict.findings.length) {
    const side = (text, name) => withMarks(text, verdict.findings, name);
    parts.push(element('dl', {}, element('dt', {}, 'source'), element('dd', { dir: 'auto' }, ...side(source, 'source')), element('dt', {}, 'candidate'), element('dd', { dir: 'auto' }, ...side(candidate, 'candidate'))));
  }
  $('verdict').replaceChildren(...parts);
}

function drawWhy(texts, answer, chosen, pick) {
  const row = answer.rows[chosen];
  $('why').hidden = !row || !row.explanation;
  if ($('why').hidden) return;
  const { diversity, alignment, needed } = row.explanation, candidate = texts.candidates[chosen];
  $('why-title').textContent = answer.rows.length > 1 ? `Why: candidate ${chosen + 1}` : 'Why';
  $('changes').replaceChildren(...markedText(texts.source, candidate));
  drawVerdict(texts.source, candidate, row.verdict);
  $('needed-title').textContent = !row.verdict ? 'What it would take to earn all that change earns' : row.verdict.usable ? 'Why it is usable' : 'What it would take to be usable';
  $('needed').replaceChildren(...needed.map(condition));
  if (row.verdict && row.verdict.usable === false && needed.every(one => one.met)) $('needed').append(element('p', {}, `To do: rewrite it: it is ${visible(row.verdict.outcome)}, and no score makes up for that.`));
  else if (!needed.length) $('needed').append(element('p', { class: 'note' }, 'Nothing can be said of this candidate.'));
  $('all-scores').replaceChildren(...scoreList(answer, row));
  drawCurve(answer.rows.map(one => one.explanation.diversity), chosen, pick);
  drawAlignment(texts.source, candidate, alignment);
}
