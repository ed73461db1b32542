import { trimEndChars } from '@gateway/core';
import { Document, Scalar, visit } from 'yaml';
import type { GuestFile } from './guest-file.ts';

/** The keys of cloud-init that first-boot data uses. */
export interface CloudConfig {
  hostname?: string;
  password?: string;
  chpasswd?: { expire: boolean };
  ssh_pwauth?: boolean;
  write_files?: GuestFile[];
}

/**
 * A part of cloud-config. cloud-init reads YAML 1.1, where `yes`, `0600` or `=` without quotes are no texts: so
 * every text is a block or has quotes, and only between double quotes can a character be escaped.
 */
export function cloudConfig(config: CloudConfig): string {
  const document = new Document(config, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar(key, scalar) {
      if (key === 'key' || typeof scalar.value !== 'string') return;
      const text = scalar.value.toWellFormed();
      scalar.value = text;
      scalar.type = isBlock(text) ? Scalar.BLOCK_LITERAL : Scalar.QUOTE_DOUBLE;
    },
  });
  const text = document.toString({
    lineWidth: 0,
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
  });
  return `#cloud-config\n${text.replaceAll(/[^\t\n\x20-\x7e]/gu, escaped)}`;
}

/** Several lines of plain ASCII, with nothing blank before, behind or at the end of a line. */
function isBlock(text: string): boolean {
  return /^[\t\n\x20-\x7e]+[!-~]\n$/.test(text) && !/^\s|[\t ]\n/.test(text);
}

function escaped(character: string): string {
  return `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`;
}

/** A host name as the compute service makes it of a server's name; none, when nothing is left of the name. */
export function hostName(name: string): { hostname?: string } {
  const label = name
    .toLowerCase()
    .replaceAll(/[\s_.]+/g, '-')
    .replaceAll(/[^a-z0-9-]/g, '')
    .slice(0, 63)
    .replace(/^-+/, '');
  const hostname = trimEndChars(label, '-');
  return hostname === '' ? {} : { hostname };
}
