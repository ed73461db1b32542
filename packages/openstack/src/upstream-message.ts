import { trimEndOf } from '@gateway/core';

/** What a service said of its refusal, in whichever of their many formats. */
export interface UpstreamMessage {
  /** As `itemNotFound`, `OverQuota`; null when the format has none. */
  kind: string | null;
  /** Fit to be shown: one line of bounded length, without markup, addresses or traces. */
  message: string | null;
}

const maxLength = 300;
/** As much of a plain text or of a message as is looked at. */
const maxLooked = 4096;

type Body = Record<string, unknown>;

export function readMessage(text: string): UpstreamMessage {
  const body = parseObject(text);
  const { kind, message } = body === null ? { kind: null, message: textOf(text) } : messageOf(body);
  const clean = message === null ? '' : cleaned(message);
  return { kind, message: clean === '' ? null : clean };
}

function messageOf(body: Body): UpstreamMessage {
  // Network: {"NeutronError": {"type", "message", "detail"}}, or a bare text.
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
  // Identity: {"error": {…}}; compute, block storage, shared file system: {"<kind>": {"code", "message"}}.
  for (const [kind, value] of Object.entries(body)) {
    const message = asText(asObject(value)?.message);
    if (message !== null) return { kind, message };
  }
  return { kind: null, message: null };
}

/** What a plain text says: `404 Not Found`, an empty line, what is wrong. A page is a proxy's, and not for a caller. */
function textOf(text: string): string {
  if (isPage(text)) return '';
  return text
    .slice(0, maxLooked)
    .trimStart()
    .replace(/^\d{3} [A-Z][A-Za-z -]*(\r?\n|$)/, '');
}

function isPage(text: string): boolean {
  return /<(?:!doctype|html|head|title|body)\b/i.test(text.slice(0, maxLooked));
}

function cleaned(message: string): string {
  if (isPage(message)) return '';
  const line = withoutValue(message.slice(0, maxLooked))
    .replace(/Traceback \(most recent call last\)[\s\S]*/, '')
    .replace(/<class '[^']*'>/g, '')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\(?(?:HTTP \d{3}|Request-ID: [\w-]+)\)?/gi, '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
    .split(/[\s\u0000-\u001f\u007f]+/)
    .filter((word) => word !== '' && !word.includes('://'))
    .join(' ');
  return line.length <= maxLength ? line : `${line.slice(0, maxLength - 1).trimEnd()}…`;
}

/** How a schema's complaint may end; everything before it may repeat what was sent. */
const complaints = [
  /additional properties are not allowed$/i,
  /'[\w:. -]{1,64}' is a required property$/i,
  /is too (?:short|long)$/i,
  /is (?:less|greater) than the (?:minimum|maximum) of [\d.-]+$/i,
  /is not of type '\w+'(?:, '\w+')*$/i,
  /is not a '[\w-]+'$/i,
];

/** Schema errors quote the value that was refused, which may be a password or a whole request: only the field stays. */
function withoutValue(message: string): string {
  const field = /^Invalid input for field(?:\/attribute ([\w:.-]{1,64})\.| '([\w:./-]{1,64})':) /.exec(
    message,
  );
  if (field === null) return message;
  const name = field[1] ?? field[2];
  const sentence = withoutRemark(trimEndOf(message.trimEnd(), '.'));
  const reason = complaints
    .map((complaint) => complaint.exec(sentence)?.[0])
    .find((found) => found !== undefined);
  return reason === undefined ? `Invalid input for ${name}.` : `Invalid input for ${name} (${reason}).`;
}

/** Services put a remark in brackets behind the complaint: `(HTTP 400)`. */
function withoutRemark(sentence: string): string {
  return sentence.endsWith(')') ? sentence.slice(0, sentence.lastIndexOf('(')).trimEnd() : sentence;
}

function parseObject(text: string): Body | null {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return null;
  }
}

function asObject(value: unknown): Body | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Body) : null;
}

function asText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
