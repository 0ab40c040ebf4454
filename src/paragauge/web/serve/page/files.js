// A file is sent, and its progress shown until its report is there.

async function sendFile(file) {
  const query = new URLSearchParams({ name: file.name });
  for (const metric of chosenMetrics() || []) query.append('metric', metric);
  const line = element('li', {}, element('strong', {}, visible(file.name)));
  $('jobs').prepend(line);
  drawJob(line, { file: file.name, status: 'sending', warnings: [] });
  try {
    const job = await ask(`/api/files?${query}`, { method: 'POST', headers: { 'content-type': 'application/octet-stream' }, body: file });
    follow(job, line);
  } catch (error) {
    drawJob(line, { file: file.name, status: 'failed', error: error.message, warnings: [] });
  }
}

function follow(job, line) {
  drawJob(line, job);
  const events = new EventSource(`/api/jobs/${job.id}/events`);
  events.addEventListener('job', event => {
    const state = JSON.parse(event.data);
    drawJob(line, state);
    if (['done', 'failed', 'cancelled'].includes(state.status)) events.close();
  });
  events.addEventListener('error', () => {
    if (events.readyState === EventSource.CLOSED) drawJob(line, { ...job, status: 'failed', error: 'The server does not answer; is it still running?' });
  });
}

function drawJob(line, job) {
  const running = ['waiting', 'running', 'sending'].includes(job.status);
  const said = job.status === 'running' && job.stage ? `${job.stage}${job.total > 1 ? `: ${job.done.toLocaleString('en')} of ${job.total.toLocaleString('en')}` : ' …'}` : job.status;
  const parts = [element('strong', {}, visible(job.file))];
  if (job.report) parts.push(element('a', { href: job.report, target: '_blank', rel: 'noopener' }, 'Open the report'));
  else if (running && job.id) {
    const button = element('button', { type: 'button' }, 'Cancel');
    button.addEventListener('click', () => { button.disabled = true; ask(`/api/jobs/${job.id}/cancel`, { method: 'POST' }).catch(error => say(error.message)); });
    parts.push(button);
  } else parts.push(element('span', {}));
  if (running) {
    const bar = element('progress', { 'aria-label': `Progress of ${job.file}` });
    if (job.total > 1) { bar.max = job.total; bar.value = job.done; }
    parts.push(bar);
  }
  parts.push(element('span', { class: 'note' }, job.error ? `${job.status}: ${visible(job.error)}` : job.status === 'done' ? `done, kept as the run ${job.run}` : said));
  for (const sentence of job.warnings) parts.push(element('span', { class: 'note' }, `Note: ${visible(sentence)}`));
  line.replaceChildren(...parts);
  line.dataset.status = job.status;
}

function startFiles() {
  const drop = $('drop');
  for (const kind of ['dragenter', 'dragover']) drop.addEventListener(kind, event => { event.preventDefault(); drop.classList.add('over'); });
  for (const kind of ['dragleave', 'drop']) drop.addEventListener(kind, () => drop.classList.remove('over'));
  drop.addEventListener('drop', event => { event.preventDefault(); [...event.dataTransfer.files].forEach(sendFile); });
  $('pick').addEventListener('change', () => { [...$('pick').files].forEach(sendFile); $('pick').value = ''; });
  // a file that misses its place shall not take the page's
  addEventListener('dragover', event => event.preventDefault());
  addEventListener('drop', event => event.preventDefault());
}
