export const REDACTED = '[redacted]';

/** Quick check: a text without a match needs no masking. */
const SUSPICIOUS =
  /gAAAAA|eyJ|K10|:\/\/|bearer|basic|token|ticket|cookie|authorization|pass|secret|(?:private|access|auth|api)[_ -]?key|key-data|user_?data/i;

/*
 * Patterns of secrets in texts. Their ends are optional, so that they match a secret in a truncated text too.
 * Each takes time linear in the length of the text, which test/system/regular-expressions.test.ts checks.
 */

/** Secrets with a recognisable format. The groups before and after the secret are kept. */
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

/**
 * Secrets after a descriptive name: the end of the name, then separator and value. The first
 * matching group is kept.
 */
const NAMED: [name: RegExp, separatorAndValue: RegExp][] = [
  // Headers in plain text: the value is the rest of the line.
  [
    /\b(?:x-(?:auth|subject|service)-token|(?:proxy-)?authorization|(?:set-)?cookie)/gi,
    /(["']?\s*:\s*)[^\s"'\\[][^\r\n"']*/y,
  ],
  // JSON, including JSON in a JSON string; then `name=value` and `name: value`.
  [
    /token|ticket|passw(?:or)?d|passphrase|secret|admin_?pass|(?:private|access|auth|api)[_-]?key|client-key-data|user_?data|authorization|cookie/gi,
    /(\\*["']\s*:\s*\\*["'])(?:[^"'\\]|\\[^"'])*|(=["']?)[^\s"'&,;]+|(:\s+)[^\s"'{[&,;][^\s"'&,;]*/y,
  ],
];

/** Replaces every recognisable secret in the text. */
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
