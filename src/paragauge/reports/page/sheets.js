// Every table as CSV, LaTeX and Markdown; commands and signatures to copy.

function download(name, text, kind) {
  const link = element('a', { href: URL.createObjectURL(new Blob([text], { type: `${kind};charset=utf-8` })), download: name });
  document.body.append(link); link.click(); link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

async function copied(text) {
  try { await navigator.clipboard.writeText(text); say('Copied'); } catch (error) { say('Select the text and copy it: this page may not use the clipboard'); }
}

const LATEX = { '&': '\\&', '%': '\\%', '$': '\\$', '#': '\\#', '_': '\\_', '{': '\\{', '}': '\\}', '~': '\\textasciitilde{}', '^': '\\^{}', '\\': '\\textbackslash{}', '<': '\\textless{}', '>': '\\textgreater{}', '|': '\\textbar{}', '–': '--', '−': '$-$', '↑': '$\\uparrow$', '↓': '$\\downarrow$', '∞': '$\\infty$' };

function sheetAs(format, name) {
  const { header, rows: lines } = data.tables[name];
  if (format === 'CSV') return [header, ...lines].map(line => line.map(csvCell).join(',')).join('\n') + '\n';
  const numeric = header.map((_, place) => lines.some(line => typeof line[place] === 'number'));
  const chance = header.map(name => /^(least )?p( \(Holm\))?$/.test(name)); // p-values, which are never 0
  const plain = (value, place) => {
    if (value === null) return '–';
    if (typeof value !== 'number') return String(value).replace(/\s+/g, ' ');
    if (chance[place] && value < 0.0005) return '< 0.001';
    return (Number.isInteger(value) ? String(value) : value.toFixed(3)).replace('-', '−');
  };
  if (format === 'LaTeX') {
    const line = cells => cells.map((cell, place) => plain(cell, place).replace(/[&%$#_{}~^\\<>|–−↑↓∞]/g, mark => LATEX[mark])).join(' & ') + ' \\\\';
    return `\\begin{tabular}{${numeric.map(one => (one ? 'r' : 'l')).join('')}}\n\\toprule\n${line(header)}\n\\midrule\n${lines.map(line).join('\n')}\n\\bottomrule\n\\end{tabular}\n`;
  }
  const line = cells => '| ' + cells.map((cell, place) => plain(cell, place).replace(/[\\`*_[~$|]/g, '\\$&').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')).join(' | ') + ' |';
  return `${line(header)}\n|${numeric.map(one => (one ? '---:' : '---')).join('|')}|\n${lines.map(line).join('\n')}\n`;
}

function startSheets() {
  for (const sheet of document.querySelectorAll('[data-table]')) {
    const bar = element('div', { class: 'formats' }, 'Copy as');
    for (const format of ['CSV', 'LaTeX', 'Markdown']) {
      const button = element('button', { type: 'button' }, format, element('span', { class: 'aside' }, ` of the table ${sheet.dataset.table}`));
      button.addEventListener('click', () => {
        const text = sheetAs(format, sheet.dataset.table);
        let area = sheet.querySelector('textarea');
        if (!area) { area = element('textarea', { readonly: '', 'aria-label': `${format} of the table ${sheet.dataset.table}` }); sheet.append(area); }
        area.value = text; area.select(); copied(text);
      });
      bar.append(button);
    }
    sheet.append(bar);
  }
  for (const button of document.querySelectorAll('[data-copy]')) {
    button.addEventListener('click', () => copied(button.previousElementSibling.textContent));
  }
  for (const legend of document.querySelectorAll('[data-systems]')) {
    data.systems.forEach((name, place) => legend.append(element('span', {}, element('span', { class: `dot c${place % 10}` }), visible(name))));
  }
  for (const link of document.querySelectorAll('nav a, .skip')) {
    link.addEventListener('click', event => {
      // the address keeps the selection
      const target = document.getElementById(link.getAttribute('href').slice(1));
      if (!target || !$('map-frame')) return;
      event.preventDefault(); target.tabIndex = -1; target.scrollIntoView(); target.focus({ preventScroll: true });
    });
  }
}
