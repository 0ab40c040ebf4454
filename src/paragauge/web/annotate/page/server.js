// Where answers go: to the server that gave this page, or into this browser until they are downloaded.

async function ask(path, body) {
  let response;
  try {
    response = await fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
  } catch {
    throw new Error('the server does not answer');
  }
  const found = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(found.detail || `the server answered ${response.status}`);
  return found;
}

const server = {
  offline: false,
  join: rater => ask('api/join', { rater }),
  understand: (rater, answers) => ask('api/understand', { rater, answers }),
  more: rater => ask('api/tasks', { rater }),
  save: (rater, one) => ask('api/judgments', { rater, ...one }),
};

// One file, mailed: its tasks are in it, and its answers in the browser's storage of this study and rater.
function offline(data) {
  const place = `paragauge ${data.study} ${data.rater}`;
  const memory = { attempts: 0, understood: !data.guide.quiz.length, judgments: [] };
  let kept = true;
  try {
    const found = JSON.parse(localStorage.getItem(place) || 'null');
    if (found && Array.isArray(found.judgments)) Object.assign(memory, found);
  } catch { kept = false; }

  function keep() {
    try { localStorage.setItem(place, JSON.stringify(memory)); } catch { kept = false; }
  }

  function state() {
    const latest = new Map(memory.judgments.map(one => [one.task, one.answer]));
    const tasks = data.tasks.map(task => ({ ...task, answer: latest.has(task.task) ? latest.get(task.task) : null }));
    return { rater: data.rater, understood: memory.understood, before: 0, tasks };
  }

  return {
    offline: true,
    keeps: () => kept,
    join: async () => state(),
    more: async () => state(),
    understand: async (rater, answers) => {
      const wrong = {};
      data.guide.quiz.forEach((one, place) => { if (answers[place] !== one.answer) wrong[place] = one.why || ''; });
      memory.attempts += 1;
      memory.understood = memory.understood || !Object.keys(wrong).length;
      keep();
      return { understood: memory.understood, wrong };
    },
    save: async (rater, one) => {
      memory.judgments.push({ ...one, saved: new Date().toISOString() });
      keep();
      return { saved: true };
    },
    file: () => JSON.stringify({
      format: 'paragauge annotations', version: 1, study: data.study, rater: data.rater,
      attempts: memory.attempts, understood: memory.understood, judgments: memory.judgments,
    }, null, 1),
  };
}
