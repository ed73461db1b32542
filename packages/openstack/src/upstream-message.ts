/** What a service said of its refusal, in whichever of their many formats. */
export interface UpstreamMessage {
  /** As `itemNotFound`, `OverQuota`; null when the format has none. */
  kind: string | null;
  /** Fit to be shown: one line of bounded length, without markup, addresses or traces. */
  message: string | null;
}

const maxLength = 300;

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

/** A page or a plain text: `404 Not Found`, an empty line, what is wrong. */
function textOf(text: string): string {
  return text
    .replace(/<(head|style|script)\b[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<\/?(?:h\d|p|br|div|body)\b[^>]*>/gi, '\n')
    .replace(/<[^>]*>/g, ' ')
    .trimStart()
    .replace(/^\d{3} [A-Z][A-Za-z -]*(\r?\n|$)/, '');
}

function cleaned(message: string): string {
  const line = withoutValue(message)
    .replace(/Traceback \(most recent call last\)[\s\S]*/, '')
    .replace(/<class '[^']*'>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\b[a-z][a-z0-9+.-]*:\/\/\S+/gi, '')
    .replace(/\(?(?:HTTP \d{3}|Request-ID: [\w-]+)\)?/gi, '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
    .replace(/[\s\u0000-\u001f\u007f]+/g, ' ')
    .trim();
  return line.length <= maxLength ? line : `${line.slice(0, maxLength - 1).trimEnd()}…`;
}

/** How a schema's complaint may end; everything before it may repeat what was sent. */
const complaint =
  /(?:additional properties are not allowed|'[\w:. -]{1,64}' is a required property|is too (?:short|long)|is (?:less|greater) than the (?:minimum|maximum) of [\d.-]+|is not of type '\w+'(?:, '\w+')*|is not a '[\w-]+')(?= *(?:\([^()]{0,100}\))?\.?$)/i;

/** Schema errors quote the value that was refused, which may be a password or a whole request: only the field stays. */
function withoutValue(message: string): string {
  const field = /^Invalid input for field(?:\/attribute ([\w:.-]{1,64})\.| '([\w:./-]{1,64})':) /.exec(
    message,
  );
  if (field === null) return message;
  const name = field[1] ?? field[2];
  const reason = complaint.exec(message.trimEnd())?.[0];
  return reason === undefined ? `Invalid input for ${name}.` : `Invalid input for ${name} (${reason}).`;
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
