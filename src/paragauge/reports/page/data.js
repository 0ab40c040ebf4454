// The data of the page, unpacked.

function $(id) { return document.getElementById(id); }

function bytesOf(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const binary = atob(text), bytes = new Uint8Array(binary.length);
  for (let place = 0; place < binary.length; place++) bytes[place] = binary.charCodeAt(place);
  return bytes;
}

function unpacked(id) {
  const stream = new Blob([bytesOf($(id).textContent)]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).arrayBuffer();
}

async function readData() {
  const [first, second] = await Promise.all([unpacked('data-header'), unpacked('data-scores')]);
  const data = JSON.parse(new TextDecoder().decode(first));
  data.scores = new Map();
  (data.metrics || []).forEach((metric, place) => {
    data.scores.set(metric.name, new Float64Array(second, 8 * place * data.rows, data.rows));
  });
  data.metric = new Map((data.metrics || []).map(metric => [metric.name, metric]));
  return data;
}

// Characters that are not seen, or that turn the writing round, are spelled out.
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;
function visible(text) {
  return text.replace(UNSEEN, mark => '\\u' + mark.charCodeAt(0).toString(16).padStart(4, '0'));
}

function sourceOf(row) { return data.texts[data.source[row]]; }
function candidateOf(row) { return data.candidate[row] < 0 ? '' : data.texts[data.candidate[row]]; }
function systemOf(row) { return data.systems[data.system[row]]; }
function referencesOf(row) { return data.groups[data.group[row]].map(place => data.texts[place]); }
function digitsOf(metric) { return metric.high === null || metric.high === undefined || metric.high <= 10 ? 3 : 1; }
function written(value, digits) { return Number.isNaN(value) ? '–' : value.toFixed(digits).replace('-', '−'); }

function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key === 'class') made.className = value; else if (value !== null) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

function say(text) {
  $('status').textContent = text;
  clearTimeout(say.timer);
  say.timer = setTimeout(() => { $('status').textContent = ''; }, 2500);
}

let data = null;
