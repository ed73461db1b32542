/** Services limit most texts to 255 characters. */
const TEXT_LENGTH = process.env.TEST_SWEEP === 'whole' ? 65_536 : 1_024;

/** Controls, marks, right-to-left letters, surrogate pairs and half of one, and what other languages read. */
const KINDS_OF_CHARACTERS = [
  '\u0000\u0001\u001b\u007f\u0085\t\r\n',
  '"\'`\\/<>&;$' + '{x}%00%s%n',
  'e\u0301\u00e9\u00df\u0130\u0131\u01c5\ufb03',
  '\u202e\u200f\u200b\u2028\u2029\ufeff\ufffe\uffff',
  '\u05d0\u0627\u4e2d\u0e01\uac00',
  '\u{1f469}\u200d\u{1f4bb}\u{1d54f}\u{10ffff}\ud800',
].join('');

const longText = KINDS_OF_CHARACTERS.repeat(Math.ceil(TEXT_LENGTH / KINDS_OF_CHARACTERS.length)).slice(
  0,
  TEXT_LENGTH,
);

/** Ids and names have at most 255 characters in all services. */
export const LONG = 'a long text';

/** In the place of a value that is left out. */
export const ABSENT = Symbol('absent');

/** What the services may send for any field, whatever its type. */
export const oddValues: Readonly<Record<string, unknown>> = {
  absent: ABSENT,
  null: null,
  'an empty text': '',
  'an empty list': [],
  'an empty object': {},
  'a text': 'odd',
  'a number': 7.5,
  'a negative number': -1,
  'a flag': true,
  'a number as text': '12',
  'a list of odd items': [null, 7, 'odd', [], {}],
  'an object of odd values': { a: null, b: 7, c: [], d: {}, e: 'odd' },
  [LONG]: longText,
};
