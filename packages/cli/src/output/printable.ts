/**
 * Without control characters and marks of direction, with which a name could change what the terminal shows.
 * Line breaks and tabs stay.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, (character) =>
    /[\n\t]/.test(character) ? character : '\ufffd',
  );
}
