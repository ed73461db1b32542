/** One part of first-boot data. */
export interface Part {
  /** cloud-init finds out itself what a `text/plain` is. */
  type: 'text/cloud-config' | 'text/x-shellscript' | 'text/plain';
  /** The name in cloud-init's error message if the script fails. Scripts run in the order of their names. */
  fileName: string;
  /** ASCII, unless `isEncoded`: cloud-init corrupts other characters when it parses the parts. */
  text: string;
  /** The text is encoded with base64, so that it may have any characters. */
  isEncoded?: boolean;
  /** How a cloud-config is merged with those before it; by default it replaces keys that both have. */
  mergeType?: string;
}

/**
 * Combines the parts of first-boot data into a MIME message (RFC 2046).
 *
 * @throws when a part that is not encoded is not ASCII
 */
export function multiPart(parts: readonly Part[]): string {
  const bodies = parts.map((part) => ({ part, body: part.isEncoded ? base64Text(part) : asciiText(part) }));
  const boundary = boundaryFor(bodies.map(({ body }) => body));
  return [
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
    'MIME-Version: 1.0',
    '',
    ...bodies.flatMap(({ part, body }) => [`--${boundary}`, ...headers(part), '', body]),
    `--${boundary}--`,
    '',
  ].join('\n');
}

function headers({ type, fileName, isEncoded, mergeType }: Part): string[] {
  const [charset, encoding] = isEncoded ? ['utf-8', 'base64'] : ['us-ascii', '7bit'];
  return [
    `Content-Type: ${type}; charset="${charset}"`,
    `Content-Transfer-Encoding: ${encoding}`,
    `Content-Disposition: attachment; filename="${fileName}"`,
    ...(mergeType === undefined ? [] : [`Merge-Type: ${mergeType}`]),
  ];
}

function asciiText({ text, fileName }: Part): string {
  // The parser would treat a carriage return as a line break.
  if (!/^[\t\n\x20-\x7e]*$/.test(text)) throw new Error(`The part ${fileName} is not ASCII.`);
  return text;
}

function base64Text({ text }: Part): string {
  const lines =
    Buffer.from(text)
      .toString('base64')
      .match(/.{1,76}/g) ?? [];
  return lines.join('\n');
}

/** The first generated boundary that occurs in no part. */
function boundaryFor(bodies: readonly string[]): string {
  let number = 1;
  while (bodies.some((body) => body.includes(`part-${number}`))) number += 1;
  return `part-${number}`;
}
