import { trimEndChars } from '@gateway/core';
import { Document, Scalar, visit } from 'yaml';
import type { GuestFile } from './guest-file.ts';

/** The cloud-init keys that first-boot data uses. */
export interface CloudConfig {
  hostname?: string;
  password?: string;
  chpasswd?: { expire: boolean };
  ssh_pwauth?: boolean;
  apt?: { primary?: AptMirror[]; security?: AptMirror[]; sources?: Record<string, AptSource> };
  /** PEM of additional certificate authorities, one each. */
  ca_certs?: { trusted: string[] };
  /** The time servers of the time client that the image has. */
  ntp?: { enabled: boolean; servers: string[] };
  write_files?: GuestFile[];
}

interface AptMirror {
  arches: string[];
  uri: string;
}

interface AptSource {
  /** A line of the list of sources, in which `$KEY_FILE` is the file of the key. */
  source: string;
  /** In ASCII armor. */
  key: string;
}

/**
 * A part of cloud-config. cloud-init reads YAML 1.1, in which unquoted `yes`, `0600` and `=` are not strings.
 * Each string is therefore a block or in double quotes, the only style that allows escapes.
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

/**
 * Whether the text is several lines of ASCII without blanks at the start of the text or at the end of a line.
 */
function isBlock(text: string): boolean {
  return /^[\t\n\x20-\x7e]+[!-~]\n$/.test(text) && !/^\s|[\t ]\n/.test(text);
}

function escaped(character: string): string {
  return `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`;
}

/** The host name that the compute service derives from a server's name; empty without a valid character. */
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
