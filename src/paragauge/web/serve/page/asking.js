// Asking the server: JSON there and back; what it refuses is an error with its sentence.

async function ask(path, options) {
  let answer;
  try {
    answer = await fetch(path, { credentials: 'same-origin', ...options });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new Error('The server does not answer; is it still running?');
  }
  const kind = answer.headers.get('content-type') || '';
  const content = kind.includes('json') ? await answer.json() : null;
  if (answer.status === 401) throw new Error('The token of this page is that of another server; open the address that the program printed.');
  if (!answer.ok) throw new Error(content && content.detail ? content.detail : `The server answers with the error ${answer.status}.`);
  return content;
}

function send(path, content, signal) {
  return ask(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(content), signal });
}

function linesOf(id) { return $(id).value.split('\n').map(line => line.trim()).filter(Boolean); }

function shownScore(metric, cell) {
  if (cell.score === null) return '–';
  return written(cell.score, digitsOf(metric));
}
