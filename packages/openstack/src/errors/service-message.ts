import { cutText, trimEndChars } from '@gateway/core';

/** The error message in a service's response. Each service has a format of its own. */
export interface ServiceMessage {
  /** Such as `itemNotFound`, `OverQuota`; null if the format has none. */
  kind: string | null;
  /** Safe to show: one line of bounded length, without markup, addresses or stack traces. */
  message: string | null;
}

const MAX_LENGTH = 300;
/** The maximum number of characters of a plain text or a message to examine. */
const MAX_EXAMINED = 4096;

type Body = Record<string, unknown>;

export function parseServiceMessage(text: string): ServiceMessage {
  const body = parseObject(text);
  const { kind, message } = body === null ? { kind: null, message: plainTextMessage(text) } : messageOf(body);
  const clean = message === null ? '' : sanitize(message);
  return { kind, message: clean === '' ? null : clean };
}

function messageOf(body: Body): ServiceMessage {
  // Network: {"NeutronError": {"type", "message", "detail"}}, or {"NeutronError": "<message>"}.
  if (typeof body.NeutronError === 'string') return { kind: null, message: body.NeutronError };
  const neutron = asObject(body.NeutronError);
  if (neutron !== null) return { kind: asText(neutron.type), message: asText(neutron.message) };
  // Load balancer: {"faultcode", "faultstring", "debuginfo"}.
  if (typeof body.faultstring === 'string') return { kind: null, message: body.faultstring };
  // Container infrastructure, placement: {"errors": [{"title", "detail"}]}.
  if (Array.isArray(body.errors)) {
    const first = asObject(body.errors[0]);
    return { kind: asText(first?.code), message: asText(first?.detail) ?? asText(first?.title) };
  }
  if (typeof body.message === 'string') return { kind: null, message: body.message };
  // Key manager: {"code", "title", "description"}.
  if (typeof body.description === 'string') return { kind: null, message: body.description };
  // Identity: {"error": {…}}; compute, block storage, shared file system: {"<kind>": {"code", "message"}}.
  for (const [kind, value] of Object.entries(body)) {
    const message = asText(asObject(value)?.message);
    if (message !== null) return { kind, message };
  }
  return { kind: null, message: null };
}

/**
 * The message of a plain text body, without its `404 Not Found` line. Empty for an HTML page,
 * which is from a proxy.
 */
function plainTextMessage(text: string): string {
  if (isHtml(text)) return '';
  return text
    .slice(0, MAX_EXAMINED)
    .trimStart()
    .replace(/^\d{3} [A-Z][A-Za-z -]*(\r?\n|$)/, '');
}

function isHtml(text: string): boolean {
  return (
    text.trimStart().startsWith('<') ||
    /<(?:!doctype|html|head|title|body)\b/i.test(text.slice(0, MAX_EXAMINED))
  );
}

function sanitize(message: string): string {
  if (isHtml(message)) return '';
  const line = withoutQuotedValue(cutText(message, MAX_EXAMINED))
    .replace(/Traceback \(most recent call last\)[\s\S]*/, '')
    .replace(/<class '[^']*'>/g, '')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\(?(?:HTTP \d{3}|Request-ID: [\w-]+)\)?/gi, '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern removes control characters
    .split(/[\s\u0000-\u001f\u007f]+/)
    .filter((word) => word !== '' && !word.includes('://'))
    .join(' ');
  return line.length <= MAX_LENGTH ? line : `${cutText(line, MAX_LENGTH - 1).trimEnd()}…`;
}

/** Endings of JSON schema errors. The text before them may quote the request. */
const SCHEMA_REASONS = [
  /additional properties are not allowed$/i,
  /'[\w:. -]{1,64}' is a required property$/i,
  /is too (?:short|long)$/i,
  /is (?:less|greater) than the (?:minimum|maximum) of [\d.-]+$/i,
  /is not of type '\w+'(?:, '\w+')*$/i,
  /is not a '[\w-]+'$/i,
];

/**
 * Schema errors quote the invalid value, which may be a password or a whole request. Keeps
 * only the field's name.
 */
function withoutQuotedValue(message: string): string {
  const field = /^Invalid input for field(?:\/attribute ([\w:.-]{1,64})\.| '([\w:./-]{1,64})':) /.exec(
    message,
  );
  if (field === null) return message;
  const name = field[1] ?? field[2];
  const sentence = withoutStatusSuffix(trimEndChars(message.trimEnd(), '.'));
  const reason = SCHEMA_REASONS.map((pattern) => pattern.exec(sentence)?.[0]).find(
    (found) => found !== undefined,
  );
  return reason === undefined ? `Invalid input for ${name}.` : `Invalid input for ${name} (${reason}).`;
}

/** Services append a suffix in brackets: `(HTTP 400)`. */
function withoutStatusSuffix(sentence: string): string {
  return sentence.endsWith(')') ? sentence.slice(0, sentence.lastIndexOf('(')).trimEnd() : sentence;
}

export function parseObject(text: string): Body | null {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return null;
  }
}

export function asObject(value: unknown): Body | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Body) : null;
}

function asText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
