// How the study goes, asked for every few seconds.

const owner = new URLSearchParams(location.search).get('owner') || '';

function number(value, digits) { return value === null ? '–' : value.toFixed(digits).replace('-', '−'); }

function compared(value, digits) {
  const shown = number(Math.abs(value), digits);
  return Number(shown) ? `${shown} ${value < 0 ? 'lower' : 'higher'}` : 'no lower';
}

function figure(value, label, small) {
  return element('div', {}, element('strong', {}, value), label, ...(small ? [element('br'), element('small', {}, small)] : []));
}

function table(caption, head, rows) {
  const cells = row => row.map((cell, place) => element(place ? 'td' : 'th', place ? { class: 'number' } : { scope: 'row' }, ...(Array.isArray(cell) ? cell : [cell])));
  return element('div', { class: 'wide-table' }, element('table', {}, element('caption', {}, caption),
    element('thead', {}, element('tr', {}, ...head.map(name => element('th', { scope: 'col' }, name)))),
    element('tbody', {}, ...rows.map(row => element('tr', {}, ...cells(row))))));
}

function checked(one) {
  const kinds = { careful: 'good', 'not careful': 'bad' };
  const words = { careful: 'told apart', 'not careful': 'not told apart', unknown: 'too few to tell' };
  const why = one.broken.pairs ? `${compared(-one.broken.difference, one.scale)}, p ${one.broken.p < 0.001 ? '< 0.001' : number(one.broken.p, 3)}, ${one.broken.pairs} pairs` : 'none yet';
  return [element('span', { class: kinds[one.verdict] || '' }, words[one.verdict]), element('small', {}, why)];
}

function draw(found) {
  const direct = found.task === 'direct', digits = direct ? 1 : 2;
  const alphas = Object.entries(found.alphas).map(([name, one]) => figure(number(one.value, 3), `Krippendorff’s alpha, ${name}`,
    one.reason || `95% interval ${number(one.low, 3)} to ${number(one.high, 3)}; ${one.units} items with 2 or more judgments`));
  const rows = found.raters.map(one => [visible(one.rater), [String(one.judged), ...(one.skipped ? [element('small', {}, `${one.skipped} not judged`)] : [])],
    one.seconds === null ? '–' : `${number(one.seconds, 1)} s`,
    [number(one.agreement, 2), element('small', {}, `${one.shared} items` + (direct && one.leaning !== null ? `, ${compared(one.leaning, 1)}` : ''))],
    checked({ ...one, scale: digits }),
    [one.repeats ? number(one.apart, digits) : '–', element('small', {}, one.repeats === 1 ? '1 repeat' : `${one.repeats} repeats`)],
    one.understood ? (one.attempts > 1 ? `attempt ${one.attempts}` : 'yes') : one.attempts ? `no, ${one.attempts} attempts` : 'not yet']);
  $('main').replaceChildren(element('h2', {}, 'Progress'),
    element('div', { class: 'figures' }, figure(`${found.complete} of ${found.items}`, 'items with enough raters', `${found.redundancy} wanted for each`), figure(String(found.judgments), 'judgments', 'without checks and repeats'), ...alphas),
    found.raters.length ? table('Raters', ['rater', 'tasks', 'time a task', direct ? 'r with the others' : 'same choice as others', 'broken copies', direct ? 'repeats differ by' : 'repeats chosen otherwise', 'guide understood'], rows) : element('p', {}, 'Nobody has joined yet.'),
    element('p', { class: 'note' }, 'Alpha is 1 where all agree and 0 where raters agree no more than by chance; its interval resamples sources. Broken copies: a paired signed-rank test of each original against its broken copy. ' + `Updated ${new Date().toLocaleTimeString()}.`));
}

async function update() {
  try {
    const response = await fetch('api/progress', { headers: { 'X-Owner': owner } });
    const found = await response.json();
    if (!response.ok) throw new Error(found.detail);
    complain('');
    draw(found);
  } catch (error) {
    complain(`Not updated: ${error.message}`);
  }
  document.documentElement.dataset.ready = 'yes';
}
$('main').classList.add('wide');
document.querySelector('.top').classList.add('wide');
update();
setInterval(() => { if (!document.hidden) update(); }, 5000);
