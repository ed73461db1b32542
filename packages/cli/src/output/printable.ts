import { stripVTControlCharacters } from 'node:util';

/** Control characters, and marks of direction. */
const UNSAFE = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Without control characters and marks of direction, with which a name could change what the terminal shows.
 * Line breaks and tabs stay.
 */
export function printable(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(UNSAFE, (character) => (/[\n\t]/.test(character) ? character : '\ufffd'));
}

/** The same on one line, which nothing of others can break. */
export function printableLine(text: string): string {
  return printable(text).replace(/[\n\t]/g, ' ');
}

/** The same for a text whose colours are meant well, such as the log of a guest: they leave no trace. */
export function printableText(text: string): string {
  return printable(stripVTControlCharacters(text));
}

/** JSON for a terminal or a program: what `printable` replaces is escaped, so the value is the same. */
export function printableJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(UNSAFE, (character) =>
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
