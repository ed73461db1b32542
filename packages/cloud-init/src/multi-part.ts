/** One part of first-boot data. */
export interface Part {
  type: 'text/cloud-config' | 'text/x-shellscript';
  /** Also what cloud-init calls a script that failed. */
  fileName: string;
  /** ASCII: cloud-init's reader of mail spoils what is not. */
  text: string;
}

/**
 * First-boot data of several parts, in the form of a mail (RFC 2046), readable as it stands.
 *
 * @throws when a part is not plain ASCII
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
  // A carriage return would be a line break to the reader of mail.
  if (!/^[\t\n\x20-\x7e]*$/.test(text)) throw new Error(`The part ${fileName} is not plain ASCII.`);
  return text;
}

/** The first of a row of texts that no part holds. */
function boundaryFor(parts: readonly Part[]): string {
  let number = 1;
  while (parts.some(({ text }) => text.includes(`part-${number}`))) number += 1;
  return `part-${number}`;
}
