/**
 * Whether the service takes two names as the same: its database compares them letter by letter without case and
 * accents, and ignores spaces at the end. An accent that is a character of its own stays different.
 */
export function isSameName(first: string, second: string): boolean {
  return collated(first) === collated(second);
}

function collated(name: string): string {
  let end = name.length;
  while (name.charAt(end - 1) === ' ') end -= 1;
  return [...name.slice(0, end)].map((letter) => letter.normalize('NFD').charAt(0).toUpperCase()).join('');
}
