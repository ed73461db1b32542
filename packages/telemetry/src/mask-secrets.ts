export const REDACTED = '[redacted]';

/** One look that spares the ordinary text all that follows. */
const SUSPICIOUS =
  /gAAAAA|eyJ|K10|:\/\/|bearer|basic|token|ticket|cookie|authorization|pass|secret|key|user_?data/i;

/*
 * What a secret looks like inside a text, each pattern open at its end so that a text cut short hides nothing less. The
 * time of each grows with the length of the text and no faster, whatever the text is; test/regular-expressions.test.ts
 * holds that.
 */

/** Secrets known by their own look. Groups before and behind the secret stay. */
const SHAPES = [
  // Fernet tokens, signed tokens (identity service, Kubernetes), and the join tokens of k3s.
  /gAAAAA[\w-]*={0,2}/g,
  /\bK10[0-9a-f]{16,}(?:::\S*)?/g,
  // The user information of a URL: `redis://:secret@host`.
  /(:\/\/[^\s/:@]*:)[^\s/@]+(@)/g,
  /\b((?:bearer|basic)\s+)[\w.~+/=-]{6,}/gi,
];

const SIGNED_TOKEN = /eyJ[\w-]{6,}(?:\.[\w-]*){0,2}/g;
const PEM = /-----BEGIN [A-Z ]+-----[\s\S]*?(?:-----END [A-Z ]+-----|$)/g;

/** Secrets known by the name before them: how such a name ends, and what follows. The first groups stay. */
const NAMED: [name: RegExp, separatorAndValue: RegExp][] = [
  // Headers written out: the rest of the line is the value.
  [
    /\b(?:x-(?:auth|subject|service)-token|(?:proxy-)?authorization|(?:set-)?cookie)/gi,
    /(["']?\s*:\s*)[^\s"'\\[][^\r\n"']*/y,
  ],
  // JSON, also JSON within JSON; then `name=value` and `name: value`.
  [
    /token|ticket|passw(?:or)?d|passphrase|secret|admin_?pass|(?:private|access|auth|api)[_-]?key|client-key-data|user_?data|authorization|cookie/gi,
    /(\\*["']\s*:\s*\\*["'])(?:[^"'\\]|\\[^"'])*|(=["']?)[^\s"'&,;]+|(:\s+)[^\s"'{[&,;][^\s"'&,;]*/y,
  ],
];

/** The text with every recognisable secret in it blotted out. */
export function maskSecrets(text: string): string {
  if (!SUSPICIOUS.test(text)) return text;
  let masked = text
    .replace(SIGNED_TOKEN, (token) => (token.includes('.') ? REDACTED : token))
    .replace(PEM, (block) => (block.includes('PRIVATE KEY') ? REDACTED : block));
  for (const shape of SHAPES) masked = masked.replace(shape, aroundSecret);
  for (const [name, value] of NAMED) masked = maskNamed(masked, name, value);
  return masked;
}

function aroundSecret(_match: string, ...rest: unknown[]): string {
  const [before, after] = rest.filter((group) => typeof group === 'string').slice(0, -1);
  return `${before ?? ''}${REDACTED}${after ?? ''}`;
}

function maskNamed(text: string, name: RegExp, value: RegExp): string {
  let masked = '';
  let from = 0;
  for (const { 0: found, index } of text.matchAll(name)) {
    value.lastIndex = index + found.length;
    const match = index < from ? null : value.exec(text);
    if (match === null) continue;
    const separator = match.slice(1).find((group) => group !== undefined) ?? '';
    masked += text.slice(from, index) + found + separator + REDACTED;
    from = index + found.length + match[0].length;
  }
  return masked + text.slice(from);
}
