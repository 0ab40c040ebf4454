// Elements of the page. Texts are only ever set as text.

function $(id) { return document.getElementById(id); }

// Characters that are not seen, or that turn the writing round, are spelled out.
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;
function visible(text) {
  return text.replace(UNSEEN, mark => '\\u' + mark.charCodeAt(0).toString(16).padStart(4, '0'));
}

function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key === 'class') made.className = value;
    else if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else if (value !== null && value !== false) made.setAttribute(key, value === true ? '' : value);
  }
  made.append(...children);
  return made;
}

function button(label, key, act, attributes) {
  const made = element('button', { type: 'button', onclick: act, ...attributes }, label);
  if (key) made.append(element('kbd', { 'aria-hidden': 'true' }, key));
  return made;
}

function textBox(title, text, kind) {
  return element('section', { class: 'text ' + kind }, element('h2', {}, title), element('p', { dir: 'auto' }, visible(text)));
}

function show(...children) {
  $('main').replaceChildren(...children);
  window.scrollTo(0, 0);
}

function say(text) { $('status').textContent = text; }

function complain(text) {
  $('problem').textContent = text || '';
  $('problem').hidden = !text;
}
