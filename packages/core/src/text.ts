/** The text without the given characters at its end: in one pass, which a pattern that ends in `+$` does not do. */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
