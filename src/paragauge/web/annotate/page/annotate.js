// From a name through the guide to the tasks.

const data = JSON.parse($('data').textContent);
const store = data.tasks ? offline(data) : server;
let rater = null, tasks = [], before = 0, at = 0, current = null, busy = false;

// Time that the page was seen, so that a coffee in another window is no thinking.
const clock = { sum: 0, since: 0 };
function startClock() { clock.sum = 0; clock.since = document.hidden ? 0 : performance.now(); }
function seconds() { return (clock.sum + (clock.since ? performance.now() - clock.since : 0)) / 1000; }
document.addEventListener('visibilitychange', () => {
  if (document.hidden) { clock.sum += clock.since ? performance.now() - clock.since : 0; clock.since = 0; } else clock.since = performance.now();
});

async function attempt(act) {
  if (busy) return;
  busy = true;
  try {
    complain('');
    await act();
  } catch (error) {
    complain(error.message);
  } finally {
    busy = false;
  }
}

function showName() {
  const box = element('input', { type: 'text', id: 'name', required: true, maxlength: 60, autocomplete: 'off', spellcheck: 'false' });
  box.value = new URLSearchParams(location.search).get('rater') || '';
  const form = element('form', { class: 'field', onsubmit: event => { event.preventDefault(); attempt(() => join(box.value)); } },
    element('label', { for: 'name' }, 'Your name, or any name you will use again', box), element('button', { class: 'main' }, 'Continue'));
  show(element('h2', {}, 'Who judges?'), element('p', {}, 'Your answers are kept under this name. With the same name you continue where you stopped.'), form);
  box.focus();
}

async function join(name) {
  const state = await store.join(name);
  rater = state.rater;
  $('who').hidden = false;
  if (!store.offline) history.replaceState(null, '', `?rater=${encodeURIComponent(rater)}`);
  $('rater').textContent = visible(rater);
  $('download').hidden = !store.offline;
  if (store.offline && !store.keeps()) complain('This browser keeps nothing for this page: download your answers before you close it.');
  take(state);
  if (state.understood && (before || tasks.some(task => task.answer !== null))) await next();
  else showGuide(state.understood);
}

function take(state) {
  tasks = state.tasks;
  before = state.before;
}

function showGuide(understood) {
  const quiz = understood ? [] : data.guide.quiz, answers = quiz.map(() => null), boxes = [];
  quiz.forEach((one, place) => {
    const choices = one.choices.map((text, choice) => element('label', {}, element('input',
      { type: 'radio', name: 'quiz-' + place, onchange: () => { answers[place] = choice; } }), element('span', {}, text)));
    boxes.push(element('fieldset', { class: 'quiz' }, element('legend', {}, `Question ${place + 1} of ${quiz.length}`), element('p', {}, one.question), ...choices));
  });
  const go = button(quiz.length ? 'Check and begin' : 'Begin', 'Enter', () => begin(), { class: 'main', id: 'begin' });

  function begin() {
    return attempt(async () => {
      if (quiz.length) {
        if (answers.includes(null)) throw new Error('Answer every question first.');
        const { understood: passed, wrong } = await store.understand(rater, answers);
        boxes.forEach((box, place) => {
          box.classList.toggle('wrong', place in wrong);
          box.querySelectorAll('.why').forEach(old => old.remove());
          if (place in wrong) box.append(element('p', { class: 'why' }, 'Not quite. ' + wrong[place]));
        });
        if (!passed) throw new Error('Some answers are not right: read the guide again and correct them.');
      }
      await next();
    });
  }
  current = { key: event => event.key === 'Enter' && (begin(), true) };
  const scales = Object.entries(data.guide.questions).filter(([, one]) => one.help)
    .map(([, one]) => element('p', {}, element('strong', {}, one.ask + ' '), one.help));
  const kept = store.offline ? 'Every answer is kept in this browser when you go on. You may stop at any time and open this file again. In the end, download your answers and send them back.'
    : 'Every answer is saved when you go on. You may stop at any time and continue later under the same name.';
  show(element('h2', {}, 'What you will do'), ...[...data.guide.about, kept].map(text => element('p', {}, text)), ...scales,
    ...(quiz.length ? [element('h2', {}, 'Have you understood it?')] : []), ...boxes, element('div', { class: 'buttons' }, go));
  $('main').focus({ preventScroll: true });
}

async function next() {
  const place = tasks.findIndex((task, one) => one >= at && task.answer === null);
  const open = place >= 0 ? place : tasks.findIndex(task => task.answer === null);
  if (open >= 0) return showTask(open);
  if (!store.offline) take(await store.more(rater));
  at = 0;
  const fresh = tasks.findIndex(task => task.answer === null);
  return fresh >= 0 ? showTask(fresh) : showEnd();
}

function count() {
  const answered = tasks.filter(task => task.answer !== null).length;
  $('bar').hidden = false;
  $('done').max = tasks.length;
  $('done').value = answered;
  $('count').textContent = `${answered} of ${tasks.length} answered` + (before ? `, ${before} before` : '');
}

function showTask(place) {
  at = place;
  const task = tasks[place];
  const made = KINDS[data.task](task, data.guide);
  const back = button('Back', 'B', goBack, { disabled: place === 0 });
  const skip = button('I cannot judge this', 'S', () => save({ skip: true }), { class: 'right' });
  const go = button('Save and continue', 'Enter', () => save(made.answer()), { class: 'main', id: 'save' });
  const keys = element('p', { class: 'note keys' }, 'Keys: ');
  [...made.keys, ['Enter'], 'save and continue'].forEach(part => {
    keys.append(...(Array.isArray(part) ? [element('kbd', {}, part[0])] : [` ${part}  `]));
  });
  current = {
    key(event) {
      if (event.key === 'Enter') {
        const open = [...document.querySelectorAll('.scale input.unset')];
        if (open.length && document.activeElement.matches('.scale input:not(.unset)')) open[0].focus(); else save(made.answer());
        return true;
      }
      if (event.key === 'b' || event.key === 'B') { goBack(); return true; }
      if (event.key === 's' || event.key === 'S') { save({ skip: true }); return true; }
      return made.key(event);
    },
    lacking: made.lacking,
  };
  show(...made.parts, element('div', { class: 'buttons' }, go, back, skip), keys);
  count();
  complain('');
  made.focus();
  say(`Task ${place + 1} of ${tasks.length}`);
  startClock();
}

function goBack() { if (at > 0 && !busy) showTask(at - 1); }

let unsent = null; // a key per answer: sent twice, it is saved once
function save(answer) {
  return attempt(async () => {
    if (!answer) throw new Error(current.lacking);
    const task = tasks[at], written = JSON.stringify([task.task, answer]);
    if (JSON.stringify(answer) === JSON.stringify(task.answer)) { at += 1; return next(); } // looked over, and left as it was
    if (!unsent || unsent.written !== written) unsent = { written, key: crypto.randomUUID ? crypto.randomUUID() : String(Math.random()).slice(2) + Date.now() };
    const one = { task: task.task, answer, seconds: Math.min(seconds(), 86400), key: unsent.key };
    try {
      await store.save(rater, one);
    } catch (error) {
      throw new Error(`Not saved: ${error.message}. Your answer is still here; press Enter to try again.`);
    }
    unsent = null;
    task.answer = answer;
    at += 1;
    await next();
  });
}

function showEnd() {
  current = null;
  count();
  const skipped = tasks.filter(task => task.answer && task.answer.skip).length;
  const parts = [element('h2', {}, 'Nothing is left to judge'), element('p', {}, `Thank you. ${before + tasks.length} answers are ${store.offline ? 'kept in this browser' : 'saved'}` + (skipped ? `, ${skipped} of them without a judgment.` : '.'))];
  if (store.offline) parts.push(element('p', {}, 'One thing is left: download the file with your answers and send it back.'), element('div', { class: 'buttons' }, button('Download answers', 'Enter', download, { class: 'main' })));
  else parts.push(element('p', { class: 'note' }, 'You may close this page, or look over your answers.'));
  if (store.offline) current = { key: event => event.key === 'Enter' && (download(), true) };
  if (tasks.length) parts.push(element('div', { class: 'buttons' }, button('Look over my answers', null, () => showTask(tasks.length - 1))));
  show(...parts);
  $('main').focus({ preventScroll: true });
}

function download() {
  const link = element('a', { href: URL.createObjectURL(new Blob([store.file()], { type: 'application/json' })), download: `${data.rater}.json` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  say('Downloaded');
}

document.addEventListener('keydown', event => {
  if (!current || event.ctrlKey || event.metaKey || event.altKey || event.target.matches('input[type=text]')) return;
  if (event.key === 'Enter' && event.target.closest('button')) return; // it presses the button
  if (current.key(event)) event.preventDefault();
});
$('download').addEventListener('click', download);
if (store.offline) attempt(() => join(data.rater)); else showName();
document.documentElement.dataset.ready = 'yes';
