/** Removes the given characters from the end of the text. Takes linear time, which a pattern ending in `+$` does not. */
export function trimEndChars(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** What a terminal obeys or does not show: control characters, breaks of lines, direction marks. */
const UNPRINTABLE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** The text in one line that can go to a terminal: `\u001b` in place of what begins an escape sequence. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
