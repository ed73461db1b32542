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

/** cloud-init reads YAML 1.1, where `yes` or `0600` without quotes are no texts. */
export function cloudConfig(config: CloudConfig): string {
  const document = new Document(config, { version: '1.1', aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_key, scalar) {
      // Only between double quotes can a character be escaped.
      if (typeof scalar.value === 'string' && !/^[\t\n\x20-\x7e]*$/.test(scalar.value)) {
        scalar.value = scalar.value.toWellFormed();
        scalar.type = Scalar.QUOTE_DOUBLE;
      }
    },
  });
  const text = document.toString({
    lineWidth: 0,
    blockQuote: 'literal',
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
  });
  return `#cloud-config\n${text.replaceAll(/[^\t\n\x20-\x7e]/gu, escaped)}`;
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
    .replaceAll(/^-+|-+$/g, '');
  return label === '' ? {} : { hostname: label };
}
