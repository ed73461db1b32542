/**
 * Whether the service treats two names as equal. Its database ignores case, accents and trailing spaces. An
 * accent that is a separate character counts.
 */
export function isSameName(first: string, second: string): boolean {
  return collated(first) === collated(second);
}

/** Whether a list with this query has the name: the whole name, or a part of it in any case. */
export function isNameListed(query: URLSearchParams, name: string): boolean {
  const whole = query.get('name');
  const part = query.get('name__icontains');
  return (
    (whole === null || isSameName(name, whole)) &&
    (part === null || name.toLowerCase().includes(part.toLowerCase()))
  );
}

function collated(name: string): string {
  let end = name.length;
  while (name.charAt(end - 1) === ' ') end -= 1;
  return [...name.slice(0, end)].map((letter) => letter.normalize('NFD').charAt(0).toUpperCase()).join('');
}
