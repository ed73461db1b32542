/** Words that Python does not take as a name. */
const KEYWORDS = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from ' +
    'global if import in is lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
);

/** Whether Python takes the text as a name. */
export function isName(text: string): boolean {
  return /^[A-Za-z_]\w*$/.test(text) && !KEYWORDS.has(text);
}

/** `postVolumesAsync` becomes `post_volumes_async`; a name that Python reserves gets an underscore. */
export function snakeCase(text: string): string {
  const words = text.replace(/([a-z0-9])([A-Z])/g, '$1_$2').replace(/[^A-Za-z0-9]+/g, '_');
  const name = words.toLowerCase();
  return isName(name) ? name : `${name}_`;
}

/** `ip_addresses` becomes `IpAddresses`. */
export function pascalCase(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** A literal of Python. JSON writes strings and numbers as Python reads them. */
export function literal(value: string | number | boolean | null): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return JSON.stringify(value);
}

/** A documentation string of one line, or nothing. */
export function docstring(text: string | undefined, indent: string): string[] {
  const line = (text ?? '').replace(/\s+/g, ' ').replaceAll('\\', '\\\\').replaceAll('"', '\\"').trim();
  return line === '' ? [] : [`${indent}"""${line}"""`];
}
