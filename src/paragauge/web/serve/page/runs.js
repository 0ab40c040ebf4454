// The runs of the server, and the summary of the one that the address names.

function shownDate(text) { return new Date(text).toLocaleString(undefined, { dateStyle: 'short', timeStyle: 'short' }); }

async function listRuns() {
  const { runs } = await ask('/api/runs');
  $('none').hidden = runs.length > 0;
  $('runs-table').hidden = !runs.length;
  const head = element('tr', {}, ...['run', 'status', 'rows', 'metrics', 'last change', 'report'].map(name => element('th', { scope: 'col', class: name === 'metrics' ? name : '' }, name)));
  const lines = runs.map(run => {
    const complete = run.status === 'complete';
    const report = complete ? element('a', { href: `/runs/${encodeURIComponent(run.name)}/report`, target: '_blank', rel: 'noopener' }, 'Open') : '';
    const name = complete ? element('a', { href: `#${encodeURIComponent(run.name)}` }, visible(run.name)) : visible(run.name);
    return element('tr', {}, element('th', { scope: 'row' }, name), element('td', { class: 'short' }, run.status),
      element('td', { class: 'number' }, run.rows === null ? '–' : run.rows.toLocaleString('en')),
      element('td', { class: 'metrics' }, visible(run.metrics.join(', '))), element('td', { class: 'short' }, shownDate(run.changed)), element('td', {}, report));
  });
  $('runs-table').replaceChildren(element('caption', { class: 'aside' }, 'Runs, newest first'), element('thead', {}, head), element('tbody', {}, ...lines));
}

function cell(value, metric) {
  return element('td', { class: 'number' }, value === null || value === undefined ? '–' : written(value, digitsOf(metric)));
}

async function showRun() {
  const name = decodeURIComponent(location.hash.slice(1));
  $('run').hidden = true;
  if (!name) return;
  const { record, verdict } = await ask(`/api/runs/${encodeURIComponent(name)}`);
  $('run-title').textContent = visible(name);
  $('run-conclusion').textContent = verdict ? visible(verdict.conclusion) : '';
  $('run-conclusion').hidden = !verdict;
  $('run-about').textContent = record.rows === undefined ? record.status : `${record.rows.toLocaleString('en')} rows`;
  $('run-warnings').replaceChildren(...(record.warnings || []).map(sentence => element('li', {}, visible(sentence))));
  $('run-warnings').hidden = !(record.warnings || []).length;
  const head = element('tr', {}, ...['metric', 'system', 'mean', '95% interval', 'rows'].map(title => element('th', { scope: 'col' }, title)));
  let before = null;
  const lines = (record.summary || []).map(line => {
    const scale = (record.scales || {})[line.metric] || {}, again = line.metric === before;
    before = line.metric;
    const interval = line.low === null || line.low === undefined ? '–' : `${written(line.low, digitsOf(scale))} to ${written(line.high, digitsOf(scale))}`;
    return element('tr', {}, element('th', { scope: 'row' }, again ? '' : visible(line.metric) + (line.higher_is_better ? ' ↑' : ' ↓')), element('td', {}, visible(line.system)), cell(line.mean, scale),
      element('td', { class: 'number' }, interval), element('td', { class: 'number' }, line.rows.toLocaleString('en')));
  });
  $('summary').replaceChildren(element('thead', {}, head), element('tbody', {}, ...lines));
  $('run').hidden = false;
}

function tell(error) { $('problem').textContent = visible(error.message); $('problem').hidden = false; }

addEventListener('hashchange', () => { $('problem').hidden = true; showRun().catch(tell); });
listRuns().then(showRun).catch(tell).finally(() => { document.documentElement.dataset.ready = 'yes'; });
