import stringWidth from 'string-width';

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const ASCII = /^[\x20-\x7e]*$/;

/** The cells of a terminal that a text fills: two for a Chinese letter or an emoji. */
export function widthOf(text: string): number {
  return ASCII.test(text) ? text.length : stringWidth(text);
}

export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

/** A text that is too wide ends with an ellipsis. */
export function cut(text: string, width: number): string {
  return widthOf(text) <= width ? text : `${beginningOf(text, width - 1)}…`;
}

/** Lines of at most this width, broken at blanks where there are some. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/(?<= )/)) {
    if (line !== '' && widthOf(line + word.trimEnd()) > width) {
      lines.push(line.trimEnd());
      line = '';
    }
    line += word;
    while (widthOf(line.trimEnd()) > width) {
      const beginning = beginningOf(line, width);
      lines.push(beginning);
      line = line.slice(beginning.length);
    }
  }
  return [...lines, line.trimEnd()];
}

/** As many letters as fit; at least one. */
function beginningOf(text: string, width: number): string {
  let beginning = '';
  let filled = 0;
  for (const { segment } of graphemes.segment(text)) {
    filled += widthOf(segment);
    if (beginning !== '' && filled > width) break;
    beginning += segment;
  }
  return beginning;
}
