export const REDACTED = '[redacted]';

/** One look that spares the ordinary text the twelve below. */
const SUSPICIOUS =
  /gAAAAA|eyJ|K10|PRIVATE KEY|:\/\/[^\s/]*:|bearer|basic|token|cookie|authorization|pass|secret|_key|-key|Key|user_?data/i;

const NAME =
  '[\\w-]*(?:token|passw(?:or)?d|passphrase|secret|admin_?pass|private[_-]?key|access[_-]?key|auth[_-]?key|api[_-]?key|client-key-data|user_?data)';

/** What a secret looks like inside a text, each open at its end so that a text cut short hides nothing less. */
const PATTERNS: [RegExp, string][] = [
  // Fernet tokens, signed tokens (identity service, Kubernetes), and the join tokens of k3s.
  [/gAAAAA[\w-]*={0,2}/g, REDACTED],
  [/\beyJ[\w-]{6,}\.[\w-]+(?:\.[\w-]*)?/g, REDACTED],
  [/\bK10[0-9a-f]{16,}(?:::\S*)?/g, REDACTED],
  [/-----BEGIN ([A-Z ]*PRIVATE KEY)-----[\s\S]*?(?:-----END \1-----|$)/g, REDACTED],
  // The user information of a URL: `redis://:secret@host`.
  [/(\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]*:)[^\s/@]+@/gi, `$1${REDACTED}@`],
  [/\b(bearer|basic)(\s+)[\w.~+/=-]{6,}/gi, `$1$2${REDACTED}`],
  // Headers written out: the rest of the line is the value.
  [
    /\b(x-[\w-]*token|(?:proxy-)?authorization|(?:set-)?cookie)(["']?\s*:\s*)(?![\s"'\\[])[^\r\n"']+/gi,
    `$1$2${REDACTED}`,
  ],
  // JSON, also JSON within JSON; then `name=value` and `name: value`.
  [
    new RegExp(`(${NAME}|authorization|cookie)(\\\\*["']\\s*:\\s*\\\\*["'])(?:[^"'\\\\]|\\\\[^"'])*`, 'gi'),
    `$1$2${REDACTED}`,
  ],
  [new RegExp(`(${NAME})(=["']?)[^\\s"'&,;]+`, 'gi'), `$1$2${REDACTED}`],
  [new RegExp(`(${NAME})(:\\s+)(?![\\s"'{[])[^\\s"'&,;]+`, 'gi'), `$1$2${REDACTED}`],
];

/** The text with every recognisable secret in it blotted out. */
export function maskSecrets(text: string): string {
  if (!SUSPICIOUS.test(text)) return text;
  return PATTERNS.reduce((masked, [pattern, instead]) => masked.replace(pattern, instead), text);
}
