// What the map shows: axes, points, thresholds, systems, and what changes with the pointer.

// on paper, whatever the screen has; the canvas keeps what was drawn on it
const PRINTED = { '--paper': '#ffffff', '--ink': '#000000', '--faint': '#444444', '--line': '#bbbbbb', '--link': '#000000' };

function colour(name) { return (map.printing && PRINTED[name]) || getComputedStyle(document.documentElement).getPropertyValue(name).trim(); }
function systemColour(place) { return colour(`--s${place % 10}`); }

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
  context.fillText(titleOf(map.x), (MARGIN.left + map.width - MARGIN.right) / 2, map.height - 8);
  context.save(); context.translate(13, (MARGIN.top + map.height - MARGIN.bottom) / 2); context.rotate(-Math.PI / 2);
  context.fillText(titleOf(map.y), 0, 0); context.restore();
}

function titleOf(axis) {
  const what = data.map.titles[axis.name];
  return (what ? `${what}: ${axis.name}` : axis.name) + (axis.turned ? ' (less is better)' : '') + ' →';
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

function rgb(name) { const value = parseInt(colour(name).slice(1), 16); return [value >> 16, (value >> 8) & 255, value & 255]; }

// Squares, each over those before it: blended here, as a hundred thousand calls of fillRect take longer.
function drawPoints(context) {
  const { width, height } = context.canvas, scale = width / map.width;
  const many = data.rows > 20000, side = Math.max(1, Math.round(scale * (many ? 2 : data.rows > 2000 ? 3 : data.rows > 300 ? 5 : 7)));
  const image = new ImageData(width, height), pixels = image.data;
  const colours = data.systems.map((_, place) => rgb(`--s${place % 10}`)), pale = rgb('--line');
  const { values: xs } = map.x, { values: ys } = map.y;
  for (const chosen of state.box ? [false, true] : [true]) {
    const alpha = chosen && many ? 0.35 : 0.6;
    for (let row = 0; row < data.rows; row++) {
      if (Number.isNaN(xs[row]) || Number.isNaN(ys[row]) || state.hidden.has(data.system[row])) continue;
      if (state.box && inBox(row) !== chosen) continue;
      const own = chosen ? colours[data.system[row]] : pale;
      const left = Math.round(scale * across(xs[row]) - side / 2), top = Math.round(scale * up(ys[row]) - side / 2);
      for (let y = Math.max(0, top); y < Math.min(height, top + side); y++) {
        for (let x = Math.max(0, left); x < Math.min(width, left + side); x++) {
          const at = 4 * (y * width + x), under = (1 - alpha) * pixels[at + 3] / 255, all = alpha + under;
          for (let part = 0; part < 3; part++) pixels[at + part] = (alpha * own[part] + under * pixels[at + part]) / all;
          pixels[at + 3] = 255 * all;
        }
      }
    }
  }
  const layer = element('canvas', { width: String(width), height: String(height) });
  layer.getContext('2d').putImageData(image, 0, 0);
  context.drawImage(layer, 0, 0, map.width, map.height);
}

function drawMap() {
  if (!map.x || !map.y) return;
  sized();
  if (!map.width) return;
  indexed();
  const context = map.points;
  context.clearRect(0, 0, map.width, map.height);
  drawAxes(context);
  drawPoints(context);
  drawMarks(context); drawSystems(context); drawOver();
}

// What changes with the pointer: the selection, the point under it, the cursor of the keyboard.
function drawOver() {
  const context = map.marks;
  if (!context || map.printing) return; // Chromium prints what is drawn now as lines, and to clear here would clear the points below
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
