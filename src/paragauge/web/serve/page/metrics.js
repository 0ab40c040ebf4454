// Which metrics are asked for; none chosen are the default ones.

function chosenMetrics() {
  const boxes = [...document.querySelectorAll('#metrics input')], chosen = boxes.filter(box => box.checked).map(box => box.value);
  const fitting = boxes.every(box => box.checked === box.defaultChecked) ? [] : chosen;
  return fitting.length ? fitting : null;
}

const ABOUT = new Map(); // what each metric is, in a sentence
const QUESTIONS = { overall: 'Is it a good paraphrase?', meaning: 'Is the meaning kept?', form: 'How alike is the wording?', fluency: 'Is it good language?', diversity: 'How much do the candidates differ?', sentinel: 'What must a metric beat?' };

async function listMetrics() {
  const { metrics } = await ask('/api/metrics');
  for (const metric of metrics) ABOUT.set(metric.name, metric.about);
  for (const [question, title] of Object.entries(QUESTIONS)) {
    const own = metrics.filter(metric => metric.question === question);
    if (!own.length) continue;
    const choices = own.map(metric => {
      const box = element('input', { type: 'checkbox', value: metric.name });
      box.defaultChecked = box.checked = metric.default;
      box.addEventListener('change', later);
      return element('label', { title: metric.about }, box, ` ${metric.name}`);
    });
    $('metrics').append(element('p', { class: 'question' }, title), element('div', { class: 'choices' }, ...choices));
  }
}
