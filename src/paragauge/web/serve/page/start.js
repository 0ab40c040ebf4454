// The page of scores comes to life; its texts outlast a reload.

const TEXTS = ['source', 'candidates', 'references'];
const EXAMPLE = {
  source: 'Flight 204 to Berlin was cancelled because of heavy snow.',
  candidates: 'Flight 204 to Berlin was cancelled because of heavy snow.\nHeavy snow led to the cancellation of flight 204 to Berlin.\nFlight 240 to Berlin was called off because of heavy snow.\nWe had soup for dinner.',
  references: '',
};

function keepTexts() {
  for (const id of TEXTS) sessionStorage.setItem(`paragauge ${id}`, $(id).value);
}

function write(texts) {
  for (const id of TEXTS) $(id).value = texts[id] || '';
  scored.chosen = 0;
  keepTexts();
  score();
}

for (const id of TEXTS) {
  $(id).value = sessionStorage.getItem(`paragauge ${id}`) || '';
  $(id).addEventListener('input', later);
}
$('example').addEventListener('click', () => write(EXAMPLE));
$('clear').addEventListener('click', () => { write({}); $('source').focus(); });
$('suggest').addEventListener('click', suggest);
startFiles();
Promise.all([listMetrics(), listParaphrasers()]).then(score).catch(error => refuse(error.message))
  .finally(() => { document.documentElement.dataset.ready = 'yes'; });
