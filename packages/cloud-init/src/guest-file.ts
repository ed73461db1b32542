import { readFileSync } from 'node:fs';

/** A file that first-boot data puts in place, in cloud-init's own field names. */
export interface GuestFile {
  path: string;
  permissions: '0600' | '0644' | '0755';
  content: string;
}

/** A file of `guest/`, the same to the byte in every guest: no value of a plan is ever put into it. */
export function shipped(
  name: string,
  path: string,
  permissions: GuestFile['permissions'] = '0644',
): GuestFile {
  return { path, permissions, content: readFileSync(new URL(`./guest/${name}`, import.meta.url), 'utf8') };
}

/** The one that does the work, at the first boot and, through its service, at every later one. */
export function mainScript(name: string): GuestFile {
  return shipped(name, '/usr/local/sbin/gateway-first-boot', '0755');
}

/** A part of it. */
export function scriptPart(name: string): GuestFile {
  return shipped(name, `/usr/local/lib/gateway/${name.replace(/^.*\//, '')}`);
}

/** What instances and builders have in common. */
export const commonFiles: readonly GuestFile[] = [
  scriptPart('report.sh'),
  scriptPart('next-boot.sh'),
  scriptPart('programs.sh'),
  scriptPart('mounts.sh'),
  scriptPart('python.sh'),
  shipped('first-boot.service', '/etc/systemd/system/gateway-first-boot.service'),
];
