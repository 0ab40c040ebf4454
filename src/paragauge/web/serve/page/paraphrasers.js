// Candidates from a paraphraser, added to those that are there.

async function listParaphrasers() {
  const { paraphrasers } = await ask('/api/paraphrasers');
  $('method').replaceChildren(...paraphrasers.map(one => element('option', { value: one.name }, one.name)));
  const tell = () => {
    const chosen = paraphrasers.find(one => one.name === $('method').value);
    $('method-about').textContent = chosen ? `${chosen.about}.` : '';
  };
  $('method').addEventListener('change', tell);
  tell();
}

async function suggest() {
  const source = $('source').value.trim();
  if (!source) { say('Write a source first.'); $('source').focus(); return; }
  const button = $('suggest');
  button.disabled = true;
  button.textContent = 'Asking …';
  try {
    const found = await send('/api/paraphrase', { source, method: $('method').value, n: Math.min(20, Math.max(1, +$('count').value || 1)) });
    const before = linesOf('candidates'), fresh = found.candidates.map(one => one.text.replace(/\s+/g, ' ').trim()).filter(text => !before.includes(text));
    if (fresh.length) { $('candidates').value = [...before, ...fresh].join('\n'); later(); }
    say(fresh.length ? `${fresh.length} added` : found.reason || 'Nothing new was found.');
  } catch (error) {
    refuse(error.message);
  } finally {
    button.disabled = false;
    button.textContent = 'Add candidates';
  }
}
