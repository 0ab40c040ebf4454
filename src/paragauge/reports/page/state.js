// What is selected, kept in the address so that it can be shared: #x=…&y=…&box=left,right,bottom,top&hide=…&q=…&reason=…&why=…&limits=meaning,changed&row=…

const state = { x: null, y: null, box: null, hidden: new Set(), search: '', reason: '', why: '', limits: null, sort: null, down: false, row: null };
const listeners = [];

function readHash() {
  const given = new URLSearchParams(location.hash.includes('=') ? location.hash.slice(1) : '');
  for (const axis of ['x', 'y']) if (data.scores.has(given.get(axis))) state[axis] = given.get(axis);
  const box = (given.get('box') || '').split(',').map(Number);
  state.box = box.length === 4 && box.every(Number.isFinite) ? box : null;
  state.hidden = new Set(given.getAll('hide').map(name => data.systems.indexOf(name)).filter(place => place >= 0));
  state.search = given.get('q') || '';
  state.reason = given.get('reason') || '';
  state.why = given.get('why') || '';
  const limits = (given.get('limits') || '').split(',').map(Number);
  state.limits = limits.length === 2 && limits.every(Number.isFinite) ? limits : null;
  state.sort = data.scores.has(given.get('sort')) || ['sample', 'system'].includes(given.get('sort')) ? given.get('sort') : null;
  state.down = given.get('down') === '1';
  const row = Number(given.get('row'));
  state.row = given.has('row') && Number.isInteger(row) && row >= 1 && row <= data.rows ? row - 1 : null;
}

function writeHash() {
  const given = new URLSearchParams();
  if (state.x) given.set('x', state.x);
  if (state.y) given.set('y', state.y);
  if (state.box) given.set('box', state.box.map(value => String(+value.toPrecision(6))).join(','));
  for (const place of state.hidden) given.append('hide', data.systems[place]);
  if (state.search) given.set('q', state.search);
  if (state.reason) given.set('reason', state.reason);
  if (state.why) given.set('why', state.why);
  if (state.limits) given.set('limits', state.limits.join(','));
  if (state.sort) { given.set('sort', state.sort); if (state.down) given.set('down', '1'); }
  if (state.row !== null) given.set('row', state.row + 1);
  const hash = '#' + given.toString();
  if (hash === location.hash) return;
  writeHash.own = hash;
  try { history.replaceState(null, '', hash); } catch (error) { location.replace(hash); }
}

// Everything that shows the state is drawn again; `what` says what changed.
function changed(what) {
  writeHash();
  for (const listener of listeners) listener(what);
}
