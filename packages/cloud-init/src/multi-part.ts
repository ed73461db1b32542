/** One part of first-boot data. */
export interface Part {
  type: 'text/cloud-config' | 'text/x-shellscript';
  /** The name in cloud-init's error message if the script fails. */
  fileName: string;
  /** ASCII: cloud-init corrupts other characters when it parses the parts. */
  text: string;
}

/**
 * Combines the parts of first-boot data into a MIME message (RFC 2046) without any transfer encoding.
 *
 * @throws when a part is not ASCII
 */
export function multiPart(parts: readonly Part[]): string {
  const boundary = boundaryFor(parts);
  return [
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
    'MIME-Version: 1.0',
    '',
    ...parts.flatMap((part) => [`--${boundary}`, ...headers(part), '', asciiText(part)]),
    `--${boundary}--`,
    '',
  ].join('\n');
}

function headers({ type, fileName }: Part): string[] {
  return [
    `Content-Type: ${type}; charset="us-ascii"`,
    'Content-Transfer-Encoding: 7bit',
    `Content-Disposition: attachment; filename="${fileName}"`,
  ];
}

function asciiText({ text, fileName }: Part): string {
  // The parser would treat a carriage return as a line break.
  if (!/^[\t\n\x20-\x7e]*$/.test(text)) throw new Error(`The part ${fileName} is not ASCII.`);
  return text;
}

/** The first generated boundary that occurs in no part. */
function boundaryFor(parts: readonly Part[]): string {
  let number = 1;
  while (parts.some(({ text }) => text.includes(`part-${number}`))) number += 1;
  return `part-${number}`;
}
