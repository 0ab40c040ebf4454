// The description of the interface, to be read by people.

function schemaOf(content, description) {
  const schema = Object.values(content || {})[0]?.schema;
  if (!schema || !schema.$ref) return schema;
  return description.components.schemas[schema.$ref.split('/').pop()];
}

function command(method, path, sent) {
  const parts = ['curl -H "Authorization: Bearer $TOKEN"'];
  if (method === 'post' && !sent) parts.push('-X POST');
  if (sent && sent.examples) parts.push('-H "Content-Type: application/json"', `-d '${JSON.stringify(sent.examples[0])}'`);
  else if (sent) parts.push('--data-binary @pairs.csv');
  const query = path === '/api/files' ? '?name=pairs.csv' : '';
  return `${parts.join(' \\\n  ')} \\\n  "${location.origin}${path.replace(/[{}]/g, '').replace(/(name|job)(?=\/|$)/, match => match.toUpperCase())}${query}"`;
}

function operation(method, path, about, description) {
  const sent = about.requestBody && schemaOf(about.requestBody.content, description);
  const parts = [element('pre', { tabindex: '0' }, command(method, path, sent))];
  if (about.parameters) {
    parts.push(element('h2', {}, 'Parameters'), element('dl', {}, ...about.parameters.flatMap(one => [
      element('dt', {}, element('code', {}, one.name), one.required ? '' : ' (optional)'), element('dd', {}, one.description || one.schema.description || `in the ${one.in}`)])));
  }
  if (sent && sent.properties) parts.push(element('h2', {}, 'Request body'), element('pre', { tabindex: '0' }, JSON.stringify(sent, null, 2)));
  const responses = Object.entries(about.responses).map(([status, one]) => element('tr', {}, element('th', { scope: 'row' }, status), element('td', {}, one.description), element('td', {}, Object.keys(one.content)[0])));
  parts.push(element('h2', {}, 'Responses'), element('table', {}, element('tbody', {}, ...responses)));
  const answered = schemaOf(Object.values(about.responses)[0].content, description);
  if (answered && answered.properties) parts.push(element('pre', { tabindex: '0' }, JSON.stringify(answered, null, 2)));
  return element('details', { class: 'operation' }, element('summary', {}, element('span', { class: 'verb' }, method.toUpperCase()), element('span', { class: 'path' }, path), element('span', { class: 'note' }, about.summary)), ...parts);
}

ask('/api/openapi.json').then(description => {
  $('about').textContent = description.info.description;
  for (const [path, methods] of Object.entries(description.paths)) {
    for (const [method, about] of Object.entries(methods)) $('operations').append(operation(method, path, about, description));
  }
}).catch(error => { $('problem').textContent = visible(error.message); $('problem').hidden = false; })
  .finally(() => { document.documentElement.dataset.ready = 'yes'; });
