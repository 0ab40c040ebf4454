// One pair: its texts with the words that differ, its scores, and which tokens were matched.

function openPair(row) { state.row = row; changed('row'); }

function scoreLines(row) {
  // the verdict stands above
  return data.metrics.filter(metric => !hasVerdict() || metric.name !== data.verdict.usable).flatMap(metric => {
    const value = data.scores.get(metric.name)[row], shown = [written(value, digitsOf(metric))];
    if (!Number.isNaN(value) && metric.low !== null && metric.high !== null && metric.low !== undefined && metric.high !== undefined) {
      const bar = element('meter', { min: metric.low, max: metric.high, 'aria-label': metric.name });
      bar.value = value;
      shown.unshift(bar, ' ');
    }
    for (const [kind, before] of [['reasons', 'undefined: '], ['notes', '']]) {
      for (const [text, places] of Object.entries((data[kind][metric.name]) || {})) {
        if (places.includes(row)) shown.push(` ${before}${visible(text)}`);
      }
    }
    return [element('dt', {}, metric.name), element('dd', {}, ...shown)];
  });
}

function verdictLines(row) {
  const { meaning, changed: words, accept, min_changed: least } = data.verdict, told = [badge(row), ` ${visible(whyOf(row))}`];
  const lacking = [[meaning, accept], [words, least]].map(([name, limit]) => [name, data.scores.get(name)[row], limit]).filter(([, value, limit]) => value < limit);
  for (const [name, value, limit] of lacking) told.push(element('small', { class: 'lacks' }, `${name} is ${written(value, 3)}; ${limit} is needed`));
  return [element('dt', {}, 'verdict'), element('dd', { id: 'pair-verdict' }, ...told)];
}

function tokenLine(text, tokens, others, side) {
  const line = element('p', { class: 'tokens', dir: 'auto' });
  tokens.forEach(([from, to, match, cosine], place) => {
    // offsets count characters as Python does, code points and not UTF-16 units
    const word = Array.from(text).slice(from, to).join('');
    const strength = cosine < 0.5 ? 'weak' : cosine < 0.8 ? 'fair' : 'strong';
    const button = element('button', { type: 'button', class: strength, id: `token-${side}-${place}` }, visible(word));
    const other = match >= 0 ? others[match] : null;
    button.title = `${word}: cosine ${written(cosine, 3)}`;
    const light = on => {
      button.classList.toggle('matched', on);
      const partner = match >= 0 && document.getElementById(`token-${side === 'a' ? 'b' : 'a'}-${match}`);
      if (partner) partner.classList.toggle('matched', on);
      $('match').textContent = on ? `${word} → ${other ? matchedWord(side, match) : 'no word (a special token)'}, cosine ${written(cosine, 3)}` : '';
    };
    button.addEventListener('pointerenter', () => light(true)); button.addEventListener('pointerleave', () => light(false));
    button.addEventListener('focus', () => light(true)); button.addEventListener('blur', () => light(false));
    line.append(button);
  });
  return line;
}

function matchedWord(side, place) {
  const button = document.getElementById(`token-${side === 'a' ? 'b' : 'a'}-${place}`);
  return button ? button.textContent : '';
}

function alignmentOf(row) {
  const found = (data.alignments || {})[row];
  if (!found) return [element('p', { class: 'note' }, 'No token alignment is kept for this pair; score with --report to keep those of the pairs shown, up to 1,000.')];
  const other = data.texts[found.other], candidate = candidateOf(row);
  return [
    element('h3', {}, `Tokens that ${found.metric} matched with the ${found.against}`),
    element('p', { class: 'note' }, 'Underlined green: cosine 0.8 or more; ochre: 0.5 or more; red: less. Hover or focus a token to see its match.'),
    element('p', { class: 'label' }, found.against), tokenLine(other, found.tokens, found.candidate, 'a'),
    element('p', { class: 'label' }, 'candidate'), tokenLine(candidate, found.candidate, found.tokens, 'b'),
    element('p', { id: 'match', class: 'note', 'aria-live': 'polite' }),
  ];
}

function drawPair() {
  const dialog = $('pair');
  if (state.row === null) { if (dialog.open) dialog.close(); return; }
  const row = state.row, source = sourceOf(row), candidate = candidateOf(row);
  $('pair-title').textContent = visible(`${systemOf(row)}, sample ${data.ids[row]}`);
  // of another language it is all of the text, which needs no mark
  const found = hasVerdict() && outcomeOf(row) !== 'not the language' ? findingsOf(row) : [];
  const [before, after] = [[source, 'source'], [candidate, 'candidate']].map(([text, side]) => withMarks(text, found, side));
  const texts = [...(hasVerdict() ? verdictLines(row) : []),
    element('dt', {}, 'source'), element('dd', { dir: 'auto' }, ...(source ? before : ['–'])),
    element('dt', {}, 'candidate'), element('dd', { dir: 'auto' }, ...(data.candidate[row] < 0 ? ['(missing)'] : candidate ? after : ['(empty)'])),
    element('dt', {}, 'changes'), element('dd', { dir: 'auto', id: 'pair-changes' }, ...markedText(source, candidate))];
  referencesOf(row).forEach((text, place) => texts.push(element('dt', {}, `reference ${place + 1}`), element('dd', { dir: 'auto' }, visible(text))));
  const others = [];
  for (let other = 0; other < data.rows && others.length < 12; other++) {
    if (other !== row && data.source[other] === data.source[row]) {
      const button = element('button', { type: 'button', dir: 'auto' }, visible(`${systemOf(other)}: ${candidateOf(other).slice(0, 160) || '(empty)'}`));
      button.addEventListener('click', () => openPair(other));
      others.push(button);
    }
  }
  $('pair-content').replaceChildren(
    element('dl', {}, ...texts), element('h3', {}, 'Scores'), element('dl', {}, ...scoreLines(row)), ...alignmentOf(row),
    ...(others.length ? [element('h3', {}, 'Other candidates of this source'), element('div', { class: 'buttons' }, ...others)] : []),
  );
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
}

function startPair() {
  const dialog = $('pair');
  dialog.addEventListener('close', () => { if (state.row !== null) { state.row = null; changed('row'); } });
  $('pair-close').addEventListener('click', () => dialog.close());
  dialog.addEventListener('click', event => { if (event.target === dialog) dialog.close(); });
  const step = by => {
    const place = rows.chosen.indexOf(state.row), next = rows.chosen[(place + by + rows.chosen.length) % rows.chosen.length];
    if (next !== undefined) { showRow(rows.chosen.indexOf(next)); openPair(next); }
  };
  $('pair-before').addEventListener('click', () => step(-1));
  $('pair-after').addEventListener('click', () => step(1));
  for (const button of document.querySelectorAll('[data-row]')) button.addEventListener('click', () => openPair(+button.dataset.row));
  listeners.push(what => { if (what === 'row' || what === 'all') drawPair(); });
}
