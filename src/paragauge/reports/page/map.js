// The map: every pair a point on a canvas of our own, with a grid by which the point under the pointer is found.

const MARGIN = { left: 58, right: 14, top: 16, bottom: 42 };
const CELL = 14;
const map = { points: null, marks: null, width: 0, height: 0, x: null, y: null, grid: null, cursor: null, drag: null, hover: -1, printing: false };

function axisOf(name) {
  const metric = data.metric.get(name), values = data.scores.get(name);
  let low = Infinity, high = -Infinity;
  for (const value of values) { if (value < low) low = value; if (value > high) high = value; }
  if (!(low <= high)) { low = 0; high = 1; }
  // the ends of the metric's range where they are near, so that a small spread is not blown up beyond recognition
  const spread = high - low || 1;
  if (metric.low !== null && metric.low !== undefined && low - metric.low < spread / 3) low = metric.low; else low -= spread / 25;
  if (metric.high !== null && metric.high !== undefined && metric.high - high < spread / 3) high = metric.high; else high += spread / 25;
  // thresholds and the corner of the copies are always in sight
  if (hasVerdict() && [data.verdict.meaning, data.verdict.changed].includes(name)) { low = metric.low; high = metric.high; }
  if (low === high) { low -= 0.5; high += 0.5; }
  return { name, values, low, high, turned: metric.higher_is_better === false, digits: digitsOf(metric) };
}

function across(value) {
  const share = (value - map.x.low) / (map.x.high - map.x.low);
  return MARGIN.left + (map.x.turned ? 1 - share : share) * (map.width - MARGIN.left - MARGIN.right);
}
function up(value) {
  const share = (value - map.y.low) / (map.y.high - map.y.low);
  return map.height - MARGIN.bottom - (map.y.turned ? 1 - share : share) * (map.height - MARGIN.top - MARGIN.bottom);
}
function valueAcross(pixel) {
  const share = (pixel - MARGIN.left) / (map.width - MARGIN.left - MARGIN.right);
  return map.x.low + (map.x.turned ? 1 - share : share) * (map.x.high - map.x.low);
}
function valueUp(pixel) {
  const share = (map.height - MARGIN.bottom - pixel) / (map.height - MARGIN.top - MARGIN.bottom);
  return map.y.low + (map.y.turned ? 1 - share : share) * (map.y.high - map.y.low);
}

function sized() {
  const frame = $('map-frame').getBoundingClientRect(), scale = Math.min(window.devicePixelRatio || 1, 3);
  map.width = frame.width; map.height = frame.height;
  for (const canvas of [$('map-points'), $('map-marks')]) {
    const width = Math.round(frame.width * scale), height = Math.round(frame.height * scale);
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    canvas.getContext('2d').setTransform(scale, 0, 0, scale, 0, 0);
  }
  map.points = $('map-points').getContext('2d');
  map.marks = $('map-marks').getContext('2d');
}

function indexed() {
  // counts, then starts, then rows: three flat arrays, no object per cell
  const columns = Math.ceil(map.width / CELL) + 1, lines = Math.ceil(map.height / CELL) + 1;
  const starts = new Int32Array(columns * lines + 1), cell = new Int32Array(data.rows).fill(-1);
  const { values: xs } = map.x, { values: ys } = map.y;
  for (let row = 0; row < data.rows; row++) {
    if (Number.isNaN(xs[row]) || Number.isNaN(ys[row]) || state.hidden.has(data.system[row])) continue;
    const place = Math.floor(up(ys[row]) / CELL) * columns + Math.floor(across(xs[row]) / CELL);
    cell[row] = place; starts[place + 1]++;
  }
  for (let place = 1; place < starts.length; place++) starts[place] += starts[place - 1];
  const rows = new Int32Array(starts[starts.length - 1]), next = starts.slice();
  for (let row = 0; row < data.rows; row++) if (cell[row] >= 0) rows[next[cell[row]]++] = row;
  map.grid = { columns, lines, starts, rows };
}

function nearest(left, top, reach) {
  const { columns, lines, starts, rows } = map.grid;
  let best = -1, distance = reach * reach;
  const from = [Math.floor((left - reach) / CELL), Math.floor((top - reach) / CELL)];
  const to = [Math.floor((left + reach) / CELL), Math.floor((top + reach) / CELL)];
  for (let line = Math.max(0, from[1]); line <= Math.min(lines - 1, to[1]); line++) {
    for (let column = Math.max(0, from[0]); column <= Math.min(columns - 1, to[0]); column++) {
      const place = line * columns + column;
      for (let at = starts[place]; at < starts[place + 1]; at++) {
        const row = rows[at], dx = across(map.x.values[row]) - left, dy = up(map.y.values[row]) - top;
        if (dx * dx + dy * dy < distance) { distance = dx * dx + dy * dy; best = row; }
      }
    }
  }
  return best;
}

function inBox(row) {
  if (!state.box) return true;
  const x = map.x.values[row], y = map.y.values[row];
  return x >= state.box[0] && x <= state.box[1] && y >= state.box[2] && y <= state.box[3];
}

function hoverAt(left, top, reach) {
  map.hover = nearest(left, top, reach);
  const tip = $('map-tip');
  tip.hidden = map.hover < 0;
  if (map.hover >= 0) {
    const row = map.hover;
    tip.replaceChildren(
      element('strong', {}, visible(systemOf(row))),
      ` ${written(map.x.values[row], map.x.digits)} · ${written(map.y.values[row], map.y.digits)}`,
      element('p', { dir: 'auto' }, visible(sourceOf(row).slice(0, 500))),
      element('p', { dir: 'auto' }, ...markedText(sourceOf(row).slice(0, 500), candidateOf(row).slice(0, 500))),
      ...(hasVerdict() && whyOf(row) ? [element('p', { class: 'label' }, visible(whyOf(row)))] : []),
    );
    const x = across(map.x.values[row]), y = up(map.y.values[row]);
    tip.style.left = `${Math.max(0, Math.min(x + 14, map.width - tip.offsetWidth - 6))}px`;
    tip.style.top = y + 14 + tip.offsetHeight > map.height ? `${Math.max(0, y - tip.offsetHeight - 14)}px` : `${y + 14}px`;
  }
  drawOver();
}

function boxFrom(pixels) {
  const xs = [valueAcross(pixels[0]), valueAcross(pixels[1])].sort((a, b) => a - b);
  const ys = [valueUp(pixels[2]), valueUp(pixels[3])].sort((a, b) => a - b);
  return [...xs, ...ys];
}

function placed(event) {
  const frame = $('map-marks').getBoundingClientRect();
  const left = Math.max(MARGIN.left - 6, Math.min(event.clientX - frame.left, map.width - MARGIN.right + 6));
  return [left, Math.max(MARGIN.top - 6, Math.min(event.clientY - frame.top, map.height - MARGIN.bottom + 6))];
}

function startMap() {
  if (data.metrics.length < 2) {
    for (const id of ['map-frame', 'map-x', 'map-y']) ($(id).closest('label') || $(id)).hidden = true;
    $('map-help').textContent = 'A map needs two metrics; this run has one.';
  }
  const canvas = $('map-marks');
  for (const [id, axis] of [['map-x', 'x'], ['map-y', 'y']]) {
    for (const metric of data.metrics) $(id).append(element('option', { value: metric.name }, metric.name));
    $(id).addEventListener('change', () => { state[axis] = $(id).value; state.box = null; changed('axes'); });
  }
  data.systems.forEach((name, place) => {
    const input = element('input', { type: 'checkbox', 'data-system': String(place) });
    input.checked = true;
    input.addEventListener('change', () => {
      if (input.checked) state.hidden.delete(place); else state.hidden.add(place);
      changed('systems');
    });
    $('map-systems').append(element('label', {}, input, ' ', element('span', { class: `dot c${place % 10}` }), visible(name)));
  });
  canvas.addEventListener('pointerdown', event => {
    if (event.button !== 0) return;
    map.keys = false;
    const [left, top] = placed(event);
    map.drag = { start: [left, top], box: [left, left, top, top], moved: false };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener('pointermove', event => {
    const [left, top] = placed(event);
    if (!map.drag) { hoverAt(left, top, 12); return; }
    map.drag.box[1] = left; map.drag.box[3] = top;
    map.drag.moved = map.drag.moved || Math.hypot(left - map.drag.start[0], top - map.drag.start[1]) > 4;
    drawOver();
  });
  canvas.addEventListener('pointerup', event => {
    if (!map.drag) return;
    const { box, moved } = map.drag;
    map.drag = null;
    if (moved) { state.box = boxFrom(box); changed('box'); return; }
    const row = nearest(...placed(event), 12);
    if (row >= 0) openPair(row); else if (state.box) { state.box = null; changed('box'); }
  });
  canvas.addEventListener('pointercancel', () => { map.drag = null; drawOver(); });
  canvas.addEventListener('pointerleave', () => { map.hover = -1; $('map-tip').hidden = true; drawOver(); });
  canvas.addEventListener('blur', () => { $('map-tip').hidden = true; map.hover = -1; drawOver(); });
  canvas.addEventListener('focus', () => {
    if (!map.cursor) map.cursor = [(MARGIN.left + map.width) / 2, map.height / 2];
    drawOver();
  });
  canvas.addEventListener('keydown', event => {
    const step = { ArrowLeft: [-10, 0], ArrowRight: [10, 0], ArrowUp: [0, -10], ArrowDown: [0, 10] }[event.key];
    map.keys = true;
    if (step) {
      event.preventDefault();
      const before = [...map.cursor];
      map.cursor[0] = Math.max(MARGIN.left, Math.min(map.cursor[0] + step[0], map.width - MARGIN.right));
      map.cursor[1] = Math.max(MARGIN.top, Math.min(map.cursor[1] + step[1], map.height - MARGIN.bottom));
      if (event.shiftKey) {
        map.anchor = map.anchor || before;
        state.box = boxFrom([map.anchor[0], map.cursor[0], map.anchor[1], map.cursor[1]]);
        changed('box');
      } else { map.anchor = null; hoverAt(...map.cursor, 16); if (map.hover >= 0) say(`${systemOf(map.hover)}: ${candidateOf(map.hover).slice(0, 200)}`); }
    } else if (event.key === 'Enter') { const row = nearest(...map.cursor, 40); if (row >= 0) openPair(row); }
    else if (event.key === 'Escape') { map.anchor = null; state.box = null; changed('box'); }
  });
  new ResizeObserver(() => {
    const frame = $('map-frame').getBoundingClientRect();
    if (frame.width !== map.width || frame.height !== map.height) drawMap();
  }).observe($('map-frame'));
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => drawMap());
  for (const [event, printing] of [['beforeprint', true], ['afterprint', false]]) addEventListener(event, () => { map.printing = printing; drawMap(); });
  ['box-left', 'box-right', 'box-bottom', 'box-top'].forEach(id => $(id).addEventListener('change', () => {
    const ends = [map.x.low, map.x.high, map.y.low, map.y.high];
    const given = ['box-left', 'box-right', 'box-bottom', 'box-top'].map((name, place) => {
      const value = parseFloat($(name).value.replace('−', '-').replace(',', '.'));
      return Number.isNaN(value) ? ends[place] : value;
    });
    state.box = ['box-left', 'box-right', 'box-bottom', 'box-top'].some(name => $(name).value.trim()) ? given : null;
    changed('box');
  }));
  $('map-box').addEventListener('submit', event => event.preventDefault());
  $('map-clear').addEventListener('click', () => {
    Object.assign(state, { box: null, search: '', reason: '', why: '' }); state.hidden.clear(); changed('all');
  });
  listeners.push(() => {
    if (!map.x || map.x.name !== state.x) map.x = axisOf(state.x);
    if (!map.y || map.y.name !== state.y) map.y = axisOf(state.y);
    $('map-x').value = state.x; $('map-y').value = state.y;
    $('box-x').textContent = state.x; $('box-y').textContent = state.y;
    ['box-left', 'box-right', 'box-bottom', 'box-top'].forEach((id, place) => {
      $(id).value = state.box ? String(+state.box[place].toPrecision(4)) : '';
    });
    for (const input of $('map-systems').querySelectorAll('input')) input.checked = !state.hidden.has(+input.dataset.system);
    drawMap();
  });
}
