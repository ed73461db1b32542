/**
 * Whether the service treats two names as equal. Its database ignores case, accents and trailing spaces. An
 * accent that is a separate character counts.
 */
export function isSameName(first: string, second: string): boolean {
  return collated(first) === collated(second);
}

function collated(name: string): string {
  let end = name.length;
  while (name.charAt(end - 1) === ' ') end -= 1;
  return [...name.slice(0, end)].map((letter) => letter.normalize('NFD').charAt(0).toUpperCase()).join('');
}
