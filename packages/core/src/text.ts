/**
 * Removes the given characters from the end of the text. Takes linear time, which a pattern
 * ending in `+$` does not.
 */
export function trimEndChars(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** The first `length` characters of the text at most. Does not split a surrogate pair. */
export function cutText(text: string, length: number): string {
  return text.slice(0, isHighSurrogate(text.charCodeAt(length - 1)) ? length - 1 : length);
}

/** The last `length` characters of the text at most. Does not split a surrogate pair. */
export function textEnd(text: string, length: number): string {
  const end = text.slice(-length);
  return end.length < text.length && isLowSurrogate(end.charCodeAt(0)) ? end.slice(1) : end;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

/** Characters that control a terminal or are invisible: control characters, line breaks, direction marks. */
const UNPRINTABLE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** Escapes unprintable characters as `\u001b`, so that the text is one line and safe for a terminal. */
export function printable(text: string): string {
  return text.replace(
    UNPRINTABLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The text as one line for a message. Each run of unprintable characters and blanks becomes a blank. */
export function singleLine(text: string): string {
  return text.replace(UNPRINTABLE, ' ').replace(/\s+/g, ' ').trim();
}
