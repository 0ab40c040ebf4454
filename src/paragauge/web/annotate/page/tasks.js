// One task on the screen: its texts, its questions, its keys. `answer()` is null until it is complete.

function directTask(task, guide) {
  const names = Object.keys(guide.questions), values = { ...(task.answer && !task.answer.skip ? task.answer : {}) };
  const boxes = new Map(), outputs = new Map();
  let typed = '', typedAt = 0;

  function put(name, value) {
    values[name] = value;
    const box = boxes.get(name);
    box.value = value;
    box.classList.remove('unset');
    box.setAttribute('aria-valuetext', String(value));
    outputs.get(name).textContent = value;
  }

  function question(name, place) {
    const about = guide.questions[name], set = name in values;
    const box = element('input', { type: 'range', min: 0, max: 100, step: 1, id: 'ask-' + name, 'aria-describedby': 'help-' + name,
      'aria-label': about.ask, class: set ? '' : 'unset', 'aria-valuetext': set ? null : 'not rated yet' });
    box.value = set ? values[name] : 50;
    box.addEventListener('input', () => put(name, Number(box.value)));
    box.addEventListener('pointerdown', () => setTimeout(() => put(name, Number(box.value))));
    box.addEventListener('focus', () => { typed = ''; });
    boxes.set(name, box);
    outputs.set(name, element('output', { for: 'ask-' + name }, set ? String(values[name]) : '–'));
    return element('fieldset', { class: 'ask' }, element('legend', {}, (names.length > 1 ? `${place + 1}. ` : '') + about.ask),
      element('p', { class: 'note', id: 'help-' + name }, about.help || ''),
      element('div', { class: 'scale' }, box, outputs.get(name),
        element('div', { class: 'ends' }, element('span', {}, `0: ${about.low || ''}`), element('span', {}, `100: ${about.high || ''}`))));
  }

  const questions = names.map(question);
  return {
    parts: [textBox('Sentence', task.source, 'source'), textBox('Rewrite', task.candidates[0], ''), ...questions],
    keys: [['0–100'], 'type a rating', ['← →'], 'move it', ['Tab'], 'next question'],
    focus: () => boxes.get(names.find(name => !(name in values)) || names[0]).focus({ preventScroll: true }),
    answer: () => names.every(name => name in values) ? Object.fromEntries(names.map(name => [name, values[name]])) : null,
    key(event) {
      if (!/^[0-9]$/.test(event.key)) return false;
      const name = names.find(one => boxes.get(one) === document.activeElement) || names.find(one => !(one in values)) || names[0];
      if (boxes.get(name) !== document.activeElement) boxes.get(name).focus();
      typed = Date.now() - typedAt < 1500 && Number(typed + event.key) <= 100 ? typed + event.key : event.key;
      typedAt = Date.now();
      put(name, Number(typed));
      return true;
    },
    lacking: 'Rate every question first.',
  };
}

function pairwiseTask(task, guide) {
  let better = task.answer && !task.answer.skip ? task.answer.better : undefined;
  const boxes = task.candidates.map((text, place) => textBox(`Rewrite ${place + 1}`, text, ''));
  const buttons = [0, 1, null].map(choice => button(choice === null ? 'Neither is better' : `Rewrite ${choice + 1} is better`,
    choice === null ? '0' : String(choice + 1), () => choose(choice)));

  function choose(choice) {
    better = choice;
    draw();
  }
  function draw() {
    [0, 1, null].forEach((choice, place) => buttons[place].setAttribute('aria-pressed', String(better === choice)));
    boxes.forEach((box, place) => box.classList.toggle('chosen', better === place));
  }
  draw();
  const ask = element('div', { class: 'ask', role: 'group', 'aria-label': guide.questions.better.ask },
    element('strong', {}, guide.questions.better.ask), element('div', { class: 'choices' }, ...buttons));
  return {
    parts: [textBox('Sentence', task.source, 'source'), ...boxes, ask],
    keys: [['1'], 'or', ['2'], 'the better rewrite', ['0'], 'neither'],
    focus: () => $('main').focus({ preventScroll: true }),
    answer: () => better === undefined ? null : { better },
    key(event) {
      const choice = { 1: 0, 2: 1, 0: null, ArrowLeft: 0, ArrowRight: 1 }[event.key];
      if (choice === undefined) return false;
      choose(choice);
      return true;
    },
    lacking: 'Choose a rewrite, or neither, first.',
  };
}

function bestWorstTask(task, guide) {
  const chosen = { best: null, worst: null };
  if (task.answer && !task.answer.skip) Object.assign(chosen, task.answer);
  const buttons = { best: [], worst: [] };
  const boxes = task.candidates.map((text, place) => {
    const box = textBox(`Rewrite ${place + 1}`, text, '');
    for (const side of ['best', 'worst']) {
      buttons[side].push(button(side === 'best' ? 'Best' : 'Worst', null, () => choose(side, place),
        { class: side, 'aria-label': `Rewrite ${place + 1} is the ${side}` }));
    }
    box.append(element('div', { class: 'choices' }, buttons.best[place], buttons.worst[place]));
    return box;
  });

  function choose(side, place) {
    const other = side === 'best' ? 'worst' : 'best';
    chosen[side] = chosen[side] === place ? null : place;
    if (chosen[other] === place) chosen[other] = null;
    draw();
  }
  function draw() {
    boxes.forEach((box, place) => {
      for (const side of ['best', 'worst']) {
        box.classList.toggle(side, chosen[side] === place);
        buttons[side][place].setAttribute('aria-pressed', String(chosen[side] === place));
      }
    });
  }
  draw();
  return {
    parts: [textBox('Sentence', task.source, 'source'), element('p', {}, element('strong', {}, guide.questions.best.ask)), ...boxes],
    keys: [[`1–${boxes.length}`], 'the best, then the worst; again to undo'],
    focus: () => $('main').focus({ preventScroll: true }),
    answer: () => chosen.best === null || chosen.worst === null ? null : { ...chosen },
    key(event) {
      const place = Number(event.key) - 1;
      if (!/^[1-9]$/.test(event.key) || place >= boxes.length) return false;
      const side = chosen.best === place || (chosen.best === null && chosen.worst !== place) ? 'best' : 'worst';
      choose(side, place);
      return true;
    },
    lacking: 'Choose the best and the worst rewrite first.',
  };
}

const KINDS = { direct: directTask, pairwise: pairwiseTask, 'best-worst': bestWorstTask };
