// The curve of diversity DS(d), with a point for every candidate.

const CURVE = { width: 480, height: 260, left: 46, right: 16, top: 26, bottom: 44 };

function svg(name, attributes, ...children) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function drawCurve(points, chosen, pick) {
  const own = points[chosen];
  if (!own) { $('curve').replaceChildren(element('p', { class: 'note' }, 'There is nothing to compare.')); return; }
  const { width, height, left, right, top, bottom } = CURVE;
  const low = own.threshold ? -1 : 0, high = own.threshold ? Math.max(own.gamma, 0.5) : 1;
  const x = value => left + value * (width - left - right);
  const y = value => height - bottom - (value - low) / (high - low) * (height - top - bottom);
  const parts = [
    svg('path', { class: 'axis', d: `M${left} ${top}V${height - bottom}H${width - right}` }),
    svg('text', { x: x(0), y: height - bottom + 18, 'text-anchor': 'middle' }, '0'),
    svg('text', { x: x(1), y: height - bottom + 18, 'text-anchor': 'end' }, '1'),
    svg('text', { x: x(0.5), y: height - 6, 'text-anchor': 'middle' }, 'share of the characters changed, d'),
    svg('text', { x: left - 8, y: y(low) + 4, 'text-anchor': 'end' }, written(low, 0)),
    svg('text', { x: left - 8, y: y(0) + 4, 'text-anchor': 'end' }, own.threshold ? '0' : ''),
    svg('text', { x: left - 34, y: 14 }, 'diversity DS'),
  ];
  if (own.threshold) {
    parts.push(
      svg('path', { class: 'limit', d: `M${x(own.gamma)} ${y(own.gamma)}V${height - bottom}` }),
      svg('text', { x: x(own.gamma), y: height - bottom + 18, 'text-anchor': 'middle' }, `γ = ${own.gamma}`),
      svg('text', { x: left - 8, y: y(own.gamma) + 4, 'text-anchor': 'end' }, String(own.gamma)),
      svg('path', { class: 'line', d: `M${x(0)} ${y(-1)}L${x(own.gamma)} ${y(own.gamma)}H${x(1)}` }),
    );
  } else parts.push(svg('path', { class: 'line', d: `M${x(0)} ${y(0)}L${x(1)} ${y(1)}` }));
  points.forEach((point, place) => {
    if (!point || place === chosen) return;
    const dot = svg('circle', { cx: x(point.distance), cy: y(point.value), r: 5 }, svg('title', {}, `candidate ${place + 1}: d = ${written(point.distance, 3)}`));
    dot.addEventListener('click', () => pick(place));
    parts.push(dot);
  });
  parts.push(svg('circle', { class: 'chosen', cx: x(own.distance), cy: y(own.value), r: 7 }));
  // beside the line, not on it: below the point or, where there is no room below, further to the right
  const low_down = y(own.value) + 24 > height - bottom, nearEnd = own.distance > 0.6;
  parts.push(svg('text', { class: 'value', x: x(own.distance) + (nearEnd ? 0 : low_down ? 30 : 14), y: low_down ? height - bottom - 8 : y(own.value) + 24, 'text-anchor': nearEnd ? 'end' : 'start' },
    `d = ${written(own.distance, 3)}, DS = ${written(own.value, 3)}`));
  const drawn = svg('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': `Diversity ${written(own.value, 3)} at a distance of ${written(own.distance, 3)}` }, ...parts);
  const earned = `${own.metric} adds ω·DS = ${own.omega} · ${written(own.value, 3)} = ${written(own.adds, 4)} to the similarity.`;
  const rule = own.threshold ? ` A copy loses ${own.omega}; beyond γ more change earns no more.` : '';
  $('curve').replaceChildren(drawn, element('figcaption', {}, earned + rule));
}
