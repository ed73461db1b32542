/** A part of first-boot data: type, headers and text. */
export interface Part {
  type: string;
  headers: ReadonlyMap<string, string>;
  text: string;
}

/** Whether the text is a MIME message, the format of multi-part first-boot data. */
export function isMultipart(text: string): boolean {
  return /^(content-type|mime-version):/i.test(text);
}

/** The parts of a MIME message, with nested parts flattened. A plain text is one part. */
export function readParts(message: string): Part[] {
  const { headers, body } = split(message);
  const type = (headers.get('content-type') ?? 'text/plain').split(';')[0]?.trim().toLowerCase() ?? '';
  if (!type.startsWith('multipart/')) return [{ type, headers, text: decode(headers, body) }];
  const boundary = parameter(headers.get('content-type') ?? '', 'boundary');
  if (boundary === undefined) throw new Error('a multi-part text without a boundary');
  return between(body, boundary).flatMap(readParts);
}

function split(message: string): { headers: Map<string, string>; body: string } {
  const [end] = /\r?\n\r?\n|^\r?\n/.exec(message) ?? [];
  const at = end === undefined ? message.length : message.indexOf(end);
  const headers = new Map<string, string>();
  const unfolded = message.slice(0, at).replaceAll(/\r?\n[ \t]+/g, ' ');
  for (const line of unfolded.split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  return { headers, body: message.slice(at + (end?.length ?? 0)) };
}

function parameter(value: string, name: string): string | undefined {
  const found = new RegExp(`;\\s*${name}=(?:"([^"]*)"|([^;\\s]+))`, 'i').exec(value);
  return found?.[1] ?? found?.[2];
}

/** The text between the boundary lines. The line break before a boundary line belongs to the boundary. */
function between(body: string, boundary: string): string[] {
  const parts: string[] = [];
  let current: string[] | null = null;
  for (const line of body.split('\n')) {
    const bare = line.trimEnd();
    if (bare !== `--${boundary}` && bare !== `--${boundary}--`) {
      current?.push(line);
      continue;
    }
    if (current !== null) parts.push(current.join('\n'));
    current = [];
    if (bare.endsWith(`${boundary}--`)) return parts;
  }
  throw new Error('a multi-part text without an end');
}

function decode(headers: ReadonlyMap<string, string>, body: string): string {
  const encoding = headers.get('content-transfer-encoding')?.toLowerCase() ?? '7bit';
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  if (['7bit', '8bit', 'binary'].includes(encoding)) return body;
  throw new Error(`a part encoded as ${encoding}`);
}
