// The map: every pair a point on a canvas of our own, with a grid by which the point under the pointer is found.

const MARGIN = { left: 58, right: 14, top: 16, bottom: 42 };
const CELL = 14;
const map = { points: null, marks: null, width: 0, height: 0, x: null, y: null, grid: null, cursor: null, drag: null, hover: -1 };

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

function colour(name) { return getComputedStyle(document.documentElement).getPropertyValue(name).trim(); }
function systemColour(place) { return colour(`--s${place % 10}`); }

function sized() {
  const frame = $('map-frame').getBoundingClientRect(), scale = Math.min(window.devicePixelRatio || 1, 3);
  map.width = frame.width; map.height = frame.height;
  for (const canvas of [$('map-points'), $('map-marks')]) {
    canvas.width = Math.round(frame.width * scale); canvas.height = Math.round(frame.height * scale);
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

function ticks(low, high, count) {
  const raw = (high - low) / count, power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map(part => part * power).find(part => part >= raw);
  const found = [];
  for (let value = Math.ceil(low / step) * step; value <= high + step / 1e6; value += step) found.push(+value.toPrecision(12));
  return found;
}

function drawAxes(context) {
  const ink = colour('--faint'), line = colour('--line');
  context.font = '12px system-ui, sans-serif'; context.fillStyle = ink; context.strokeStyle = line; context.lineWidth = 1;
  context.textAlign = 'center';
  for (const value of ticks(map.x.low, map.x.high, map.width / 110)) {
    const left = Math.round(across(value)) + 0.5;
    context.beginPath(); context.moveTo(left, MARGIN.top); context.lineTo(left, map.height - MARGIN.bottom); context.stroke();
    context.fillText(String(value).replace('-', '−'), left, map.height - MARGIN.bottom + 16);
  }
  context.textAlign = 'right';
  for (const value of ticks(map.y.low, map.y.high, map.height / 80)) {
    const top = Math.round(up(value)) + 0.5;
    context.beginPath(); context.moveTo(MARGIN.left, top); context.lineTo(map.width - MARGIN.right, top); context.stroke();
    context.fillText(String(value).replace('-', '−'), MARGIN.left - 7, top + 4);
  }
  context.fillStyle = colour('--ink'); context.textAlign = 'center';
  context.fillText(titleOf(map.x, 'meaning kept'), (MARGIN.left + map.width - MARGIN.right) / 2, map.height - 8);
  context.save(); context.translate(13, (MARGIN.top + map.height - MARGIN.bottom) / 2); context.rotate(-Math.PI / 2);
  context.fillText(titleOf(map.y, 'words changed'), 0, 0); context.restore();
}

function titleOf(axis, what) {
  const named = axis === map.x ? data.map.across : data.map.up;
  return (axis.name === named ? `${what}: ${axis.name}` : axis.name) + (axis.turned ? ' (less is better)' : '') + ' →';
}

function drawMarks(context) {
  // thresholds, and the corner where copies lie
  context.save(); context.setLineDash([5, 4]); context.strokeStyle = colour('--faint'); context.fillStyle = colour('--faint');
  context.font = '12px system-ui, sans-serif';
  const limits = { ...data.map.thresholds };
  if (hasVerdict()) {
    const [accept, least] = limitsNow();
    Object.assign(limits, { [data.verdict.meaning]: [accept, 'usable from here'], [data.verdict.changed]: [least, 'usable from here'] });
    if (map.x.name === data.verdict.meaning && map.y.name === data.verdict.changed) {
      const left = across(Math.max(accept, map.x.low)), top = up(map.y.high), right = map.width - MARGIN.right, bottom = up(Math.max(least, map.y.low));
      if (left < right && top < bottom) {
        context.globalAlpha = 0.1; context.fillStyle = colour('--s2'); context.fillRect(left, top, right - left, bottom - top); context.globalAlpha = 1;
        context.fillStyle = colour('--ink'); context.font = '600 13px system-ui, sans-serif'; context.textAlign = 'right'; context.fillText('usable', right - 6, top + 16);
        context.font = '12px system-ui, sans-serif';
      }
      limits[data.verdict.meaning][1] = limits[data.verdict.changed][1] = '';
    }
  }
  context.textAlign = 'left'; context.fillStyle = colour('--faint');
  if (limits[map.x.name]) {
    const left = across(limits[map.x.name][0]);
    context.beginPath(); context.moveTo(left, MARGIN.top); context.lineTo(left, map.height - MARGIN.bottom); context.stroke();
    context.fillText(limits[map.x.name][1], left + 5, MARGIN.top + 12);
  }
  if (limits[map.y.name]) {
    const top = up(limits[map.y.name][0]);
    context.beginPath(); context.moveTo(MARGIN.left, top); context.lineTo(map.width - MARGIN.right, top); context.stroke();
    context.fillText(limits[map.y.name][1], MARGIN.left + 5, top - 5);
  }
  context.restore();
  const copy = data.map.copy || {};
  if (copy[map.x.name] === undefined || copy[map.y.name] === undefined) return;
  const left = across(copy[map.x.name]), top = up(copy[map.y.name]);
  context.save(); context.strokeStyle = context.fillStyle = colour('--ink'); context.lineWidth = 1.5; context.setLineDash([3, 3]);
  context.beginPath(); context.arc(left, top, 13, 0, 2 * Math.PI); context.stroke();
  context.font = '12px system-ui, sans-serif'; context.textAlign = left > map.width / 2 ? 'right' : 'left';
  context.fillText('copies', left + (left > map.width / 2 ? 13 : -13), top - 18 < MARGIN.top ? top + 28 : top - 18); context.restore();
}

function meansOf() {
  return data.systems.map((name, place) => {
    let x = 0, y = 0, count = 0;
    for (let row = 0; row < data.rows; row++) {
      if (data.system[row] !== place || Number.isNaN(map.x.values[row]) || Number.isNaN(map.y.values[row])) continue;
      x += map.x.values[row]; y += map.y.values[row]; count++;
    }
    return { name, place, x: x / count, y: y / count, count };
  }).filter(one => one.count && !state.hidden.has(one.place));
}

function drawSystems(context) {
  const means = meansOf(), better = (one, two, axis) => (axis.turned ? one <= two : one >= two);
  const front = means.filter(one => !means.some(other => other !== one && better(other.x, one.x, map.x) && better(other.y, one.y, map.y)
    && (other.x !== one.x || other.y !== one.y)));
  front.sort((one, two) => one.x - two.x);
  context.save(); context.strokeStyle = colour('--ink'); context.lineWidth = 1.5; context.beginPath();
  front.forEach((one, place) => (place ? context.lineTo(across(one.x), up(one.y)) : context.moveTo(across(one.x), up(one.y))));
  context.stroke();
  context.font = '600 13px system-ui, sans-serif'; context.textAlign = 'left';
  const taken = [];
  for (const one of means) {
    const left = across(one.x), top = up(one.y);
    context.fillStyle = systemColour(one.place); context.strokeStyle = colour('--paper'); context.lineWidth = 2.5;
    context.beginPath(); context.arc(left, top, 8, 0, 2 * Math.PI); context.fill(); context.stroke();
    const label = visible(one.name).slice(0, 28), width = context.measureText(label).width;
    const start = left + 12 + width > map.width - MARGIN.right ? left - 12 - width : left + 12;
    let height = top + 4;
    while (taken.some(other => Math.abs(other.height - height) < 15 && start < other.end && start + width > other.start)) height += 15;
    taken.push({ start, end: start + width, height });
    context.strokeStyle = colour('--paper'); context.lineWidth = 4; context.lineJoin = 'round';
    context.strokeText(label, start, height); context.fillStyle = colour('--ink'); context.fillText(label, start, height);
  }
  context.restore();
}

function drawMap() {
  if (!map.x || !map.y) return;
  sized();
  if (!map.width) return;
  indexed();
  const context = map.points;
  context.clearRect(0, 0, map.width, map.height);
  drawAxes(context);
  const many = data.rows > 20000, size = many ? 2 : data.rows > 2000 ? 3 : 5;
  const { values: xs } = map.x, { values: ys } = map.y;
  const pale = colour('--line');
  for (const chosen of state.box ? [false, true] : [true]) {
    for (let place = 0; place < data.systems.length; place++) {
      if (state.hidden.has(place)) continue;
      context.fillStyle = chosen ? systemColour(place) : pale;
      context.globalAlpha = chosen ? (many ? 0.35 : 0.6) : 0.6;
      for (let row = 0; row < data.rows; row++) {
        if (data.system[row] !== place || Number.isNaN(xs[row]) || Number.isNaN(ys[row])) continue;
        if (state.box && inBox(row) !== chosen) continue;
        context.fillRect(across(xs[row]) - size / 2, up(ys[row]) - size / 2, size, size);
      }
    }
  }
  context.globalAlpha = 1;
  drawMarks(context); drawSystems(context); drawOver();
}

// What changes with the pointer: the selection, the point under it, the cursor of the keyboard.
function drawOver() {
  const context = map.marks;
  if (!context) return;
  context.clearRect(0, 0, map.width, map.height);
  const box = map.drag ? map.drag.box : state.box && [across(state.box[0]), across(state.box[1]), up(state.box[2]), up(state.box[3])];
  if (box) {
    context.strokeStyle = colour('--link'); context.lineWidth = 1.5; context.fillStyle = colour('--link');
    const [left, right, bottom, top] = [Math.min(box[0], box[1]), Math.max(box[0], box[1]), Math.max(box[2], box[3]), Math.min(box[2], box[3])];
    context.globalAlpha = 0.08; context.fillRect(left, top, right - left, bottom - top); context.globalAlpha = 1;
    context.strokeRect(left, top, right - left, bottom - top);
  }
  const row = map.hover >= 0 ? map.hover : state.row;
  if (row !== null && row >= 0 && !Number.isNaN(map.x.values[row]) && !Number.isNaN(map.y.values[row])) {
    context.strokeStyle = colour('--ink'); context.lineWidth = 2;
    context.beginPath(); context.arc(across(map.x.values[row]), up(map.y.values[row]), 6, 0, 2 * Math.PI); context.stroke();
  }
  if (map.keys && map.cursor && document.activeElement === $('map-marks')) {
    context.strokeStyle = colour('--link'); context.lineWidth = 1;
    context.beginPath(); context.moveTo(map.cursor[0], MARGIN.top); context.lineTo(map.cursor[0], map.height - MARGIN.bottom);
    context.moveTo(MARGIN.left, map.cursor[1]); context.lineTo(map.width - MARGIN.right, map.cursor[1]); context.stroke();
  }
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
  new ResizeObserver(() => drawMap()).observe($('map-frame'));
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => drawMap());
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
