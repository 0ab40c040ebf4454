// The table of selected pairs: only the rows in sight are in the document.

const ROW = 46;
const rows = { chosen: new Int32Array(0), current: 0, columns: [], undefinedIn: null };

function chosenRows() {
  const search = state.search.toLowerCase(), hits = new Map();
  const contains = place => {
    if (place < 0) return false;
    if (!hits.has(place)) hits.set(place, data.texts[place].toLowerCase().includes(search));
    return hits.get(place);
  };
  const wanted = state.reason ? rows.undefinedIn.get(state.reason) || new Set() : null;
  const judged = state.why && hasVerdict() ? (verdict.sets.get(state.why) || { has: [] }).has : null;
  const found = new Int32Array(data.rows);
  let count = 0;
  for (let row = 0; row < data.rows; row++) {
    if (state.hidden.has(data.system[row])) continue;
    if (state.box && !inBox(row)) continue;
    if (wanted && !wanted.has(row)) continue;
    if (judged && !judged[row]) continue;
    if (search && !contains(data.source[row]) && !contains(data.candidate[row])) continue;
    found[count++] = row;
  }
  return sortedRows(found.subarray(0, count));
}

function sortedRows(chosen) {
  if (!state.sort) return chosen;
  const sign = state.down ? -1 : 1, scores = data.scores.get(state.sort);
  if (scores) {
    return chosen.sort((one, two) => {
      const a = scores[one], b = scores[two];
      if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) - Number.isNaN(b) || one - two;
      return sign * (a - b) || one - two;
    });
  }
  if (state.sort === 'system') return chosen.sort((one, two) => sign * (data.system[one] - data.system[two]) || one - two);
  return state.down ? chosen.reverse() : chosen;
}

function drawHead() {
  $('rows-head').replaceChildren(...rows.columns.map(column => {
    const sorted = state.sort === column.name;
    const button = element('button', { type: 'button', title: column.title }, column.name + (sorted ? (state.down ? ' ↓' : ' ↑') : ''));
    if (!column.sorts) button.disabled = true;
    button.addEventListener('click', () => {
      state.down = sorted ? !state.down : Boolean(data.scores.get(column.name)); state.sort = column.name; changed('sort');
    });
    return element('div', { role: 'columnheader', 'aria-sort': sorted ? (state.down ? 'descending' : 'ascending') : null }, button);
  }));
}

function drawRows() {
  const view = $('rows'), body = $('rows-body');
  body.style.height = `${rows.chosen.length * ROW}px`;
  const first = Math.max(0, Math.floor(view.scrollTop / ROW) - 4);
  const last = Math.min(rows.chosen.length, Math.ceil((view.scrollTop + view.clientHeight) / ROW) + 4);
  const made = [];
  for (let place = first; place < last; place++) {
    const row = rows.chosen[place];
    const line = element('div', { class: place === rows.current ? 'row current' : 'row', role: 'row', id: `row-${place}`, 'aria-rowindex': String(place + 2) },
      ...rows.columns.map(column => {
        const cell = element('div', { role: 'gridcell', class: column.number ? 'number' : '', dir: column.number ? null : 'auto' });
        cell.textContent = column.text(row);
        return cell;
      }));
    line.style.top = `${place * ROW}px`;
    line.addEventListener('click', () => { rows.current = place; openPair(row); });
    made.push(line);
  }
  body.replaceChildren(...made);
  const current = document.getElementById(`row-${rows.current}`);
  if (current) view.setAttribute('aria-activedescendant', current.id); else view.removeAttribute('aria-activedescendant');
}

function showRow(place) {
  rows.current = Math.max(0, Math.min(place, rows.chosen.length - 1));
  const view = $('rows'), top = rows.current * ROW, head = $('rows-head').offsetHeight;
  if (top < view.scrollTop) view.scrollTop = top;
  else if (top + ROW > view.scrollTop + view.clientHeight - head) view.scrollTop = top + ROW - view.clientHeight + head;
  drawRows();
}

function short(text) { return visible(text.length > 300 ? text.slice(0, 300) + '…' : text); }

function csvCell(value) { const text = value === null || Number.isNaN(value) ? '' : String(value); return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text; }

function selectedCsv() {
  const names = [...data.scores.keys()], lines = [['id', 'system', 'source', 'candidate', ...names, ...(hasVerdict() ? ['why'] : [])].map(csvCell).join(',')];
  for (const row of rows.chosen) {
    lines.push([data.ids[row], systemOf(row), sourceOf(row), candidateOf(row), ...names.map(name => data.scores.get(name)[row]), ...(hasVerdict() ? [whyOf(row)] : [])].map(csvCell).join(','));
  }
  return lines.join('\n') + '\n';
}

function startRows() {
  const [narrow, middle, wide] = matchMedia('(max-width: 640px)').matches ? [66, 84, 150] : [70, 110, 200];
  rows.columns = [
    { name: 'sample', title: 'id of the row', least: narrow, text: row => short(data.ids[row]), sorts: true },
    { name: 'system', title: 'system', least: middle, text: row => short(systemOf(row)), sorts: true },
    { name: 'source', title: 'source', least: wide, grows: '1fr', text: row => short(sourceOf(row)) },
    { name: 'candidate', title: 'candidate', least: wide, grows: '1fr', text: row => (data.candidate[row] < 0 ? '(missing)' : short(candidateOf(row))) },
    ...(hasVerdict() ? [{ name: 'why', title: 'why it is not usable, or what to check', least: 150, grows: '.7fr', text: row => short(whyOf(row)) }] : []),
    ...data.metrics.map(metric => ({
      name: metric.name, title: metric.title || metric.name, least: Math.max(76, Math.min(150, 32 + 7 * metric.name.length)), number: true, sorts: true,
      text: row => hasVerdict() && metric.name === data.verdict.usable ? { 1: 'yes', 0: 'no' }[usableOf(row)] || '–' : written(data.scores.get(metric.name)[row], digitsOf(metric)),
    })),
  ];
  $('rows').style.setProperty('--columns', rows.columns.map(column => (column.grows ? `minmax(${column.least}px, ${column.grows})` : `${column.least}px`)).join(' '));
  $('rows').style.setProperty('--width', `${rows.columns.reduce((sum, column) => sum + column.least, 0)}px`);
  rows.undefinedIn = new Map();
  for (const [metric, reasons] of Object.entries(data.reasons)) {
    for (const [reason, places] of Object.entries(reasons)) {
      for (const key of [reason, `${metric}: ${reason}`]) {
        if (!rows.undefinedIn.has(key)) rows.undefinedIn.set(key, new Set());
        for (const place of places) rows.undefinedIn.get(key).add(place);
      }
    }
  }
  for (const [reason, places] of rows.undefinedIn) $('rows-reason').append(element('option', { value: reason }, visible(`${reason} (${places.size})`)));
  $('rows-reason').parentElement.hidden = !rows.undefinedIn.size;
  $('rows-reason').addEventListener('change', () => { state.reason = $('rows-reason').value; changed('rows'); });
  let waiting = 0;
  $('rows-search').addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => { state.search = $('rows-search').value; changed('rows'); }, 200);
  });
  $('rows').addEventListener('scroll', () => requestAnimationFrame(drawRows), { passive: true });
  $('rows').addEventListener('keydown', event => {
    if (event.target !== $('rows')) return;
    const page = Math.max(1, Math.floor($('rows').clientHeight / ROW) - 2);
    const to = { ArrowDown: rows.current + 1, ArrowUp: rows.current - 1, PageDown: rows.current + page, PageUp: rows.current - page, Home: 0, End: rows.chosen.length - 1 }[event.key];
    if (to !== undefined) { event.preventDefault(); showRow(to); }
    else if (event.key === 'Enter' && rows.chosen.length) { event.preventDefault(); openPair(rows.chosen[rows.current]); }
  });
  $('rows-export').addEventListener('click', () => download('pairs.csv', selectedCsv(), 'text/csv'));
  for (const button of document.querySelectorAll('[data-reason]')) {
    button.addEventListener('click', () => { state.reason = button.dataset.reason; changed('rows'); $('map-box').scrollIntoView(); });
  }
  new ResizeObserver(() => drawRows()).observe($('rows'));
  listeners.push(what => {
    $('rows-search').value = state.search; $('rows-reason').value = state.reason;
    if (what === 'row' || what === 'limits') return;
    rows.chosen = chosenRows();
    rows.current = 0; $('rows').scrollTop = 0;
    $('rows').setAttribute('aria-rowcount', String(rows.chosen.length + 1));
    const pairs = `${data.rows.toLocaleString('en')} pair${data.rows === 1 ? '' : 's'}`;
    $('rows-count').textContent = rows.chosen.length === data.rows ? `All ${pairs}`
      : `${rows.chosen.length.toLocaleString('en')} of ${pairs}`;
    drawHead(); drawRows();
  });
}
