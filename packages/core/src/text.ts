/** Removes the given characters from the end of the text. Takes linear time, which a pattern ending in `+$` does not. */
export function trimEndChars(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
