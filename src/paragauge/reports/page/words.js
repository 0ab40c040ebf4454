// Two texts word by word, as text/differences.py has it.

const WORD = '[\\p{L}\\p{M}\\p{N}]';
const SPACELESS = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Tibetan}';
const PIECE = new RegExp(`[${SPACELESS}]\\p{M}*|(?:(?![${SPACELESS}])${WORD})+(?:['’](?:(?![${SPACELESS}])${WORD})+)*|\\s+|.`, 'gsu');
const MOST_CELLS = 2e7; // words of one text times words of the other

function spaced(text) {
  const found = [];
  for (const piece of text.trimStart().match(PIECE) || []) {
    if (/^\s/.test(piece) && found.length) found[found.length - 1][1] += piece; else found.push([piece, '']);
  }
  return found;
}

// [kind, text] of each run of words; null where the texts are too long to compare.
function wordDifferences(first, second) {
  const one = spaced(first), two = spaced(second), width = two.length + 1;
  if (one.length * two.length > MOST_CELLS) return null;
  const longest = new Uint16Array((one.length + 1) * width);
  for (let i = one.length - 1; i >= 0; i--) {
    for (let j = two.length - 1; j >= 0; j--) {
      longest[i * width + j] = one[i][0] === two[j][0] ? longest[(i + 1) * width + j + 1] + 1
        : Math.max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
    }
  }
  const found = [];
  let removed = '', added = '';
  const flush = () => {
    if (removed) found.push(['removed', removed]);
    if (added) found.push(['added', added]);
    removed = added = '';
  };
  let i = 0, j = 0;
  while (i < one.length || j < two.length) {
    if (i < one.length && j < two.length && one[i][0] === two[j][0]) {
      flush();
      const space = one[i][1].length > two[j][1].length ? one[i][1] : two[j][1];
      const last = found[found.length - 1];
      if (last && last[0] === 'same') last[1] += one[i][0] + space; else found.push(['same', one[i][0] + space]);
      i++; j++;
    } else if (j >= two.length || (i < one.length && longest[(i + 1) * width + j] >= longest[i * width + j + 1])) {
      removed += one[i][0] + one[i][1]; i++;
    } else {
      added += two[j][0] + two[j][1]; j++;
    }
  }
  flush();
  return found;
}

function markedText(first, second) {
  const pieces = wordDifferences(first, second);
  if (pieces === null) return [document.createTextNode(visible(second))];
  return pieces.flatMap(([kind, text]) => {
    const words = text.trimEnd(), rest = visible(text.slice(words.length));
    if (kind === 'same') return [document.createTextNode(visible(text))];
    return [element(kind === 'added' ? 'ins' : 'del', {}, visible(words)), document.createTextNode(rest)];
  });
}

// The text with these places marked; they count characters as Python does, code points and not UTF-16 units.
function withMarks(text, findings, side) {
  const parts = [], letters = Array.from(text), cut = (from, to) => visible(letters.slice(from, to).join(''));
  let end = 0;
  for (const one of findings.filter(found => found[side]).sort((one, two) => one[side][0] - two[side][0] || two[side][1] - one[side][1])) {
    const [from, to] = one[side];
    if (from < end) continue;
    const found = { added: 'more', dropped: 'less', garbled: 'broken' }[one.kind] || 'other';
    parts.push(cut(end, from), element('mark', { class: found, title: visible(`${one.kind}: found by ${one.rule === 'reader' ? 'the model that reads both texts' : `the rule ${one.rule}`}`) }, cut(from, to)));
    end = to;
  }
  return [...parts, cut(end)];
}
