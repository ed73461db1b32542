import { readFileSync } from 'node:fs';

/** A file that cloud-init writes, with the field names of cloud-init. */
export interface GuestFile {
  path: string;
  /** Octal, such as `0600`. */
  permissions: string;
  content: string;
}

/** A file of `guest/`, unchanged: it never contains values of a plan. */
export function staticFile(name: string, path: string, permissions = '0644'): GuestFile {
  return { path, permissions, content: readFileSync(new URL(`./guest/${name}`, import.meta.url), 'utf8') };
}

/** The main script: cloud-init runs it at the first boot, and its systemd service at later boots. */
export function mainScript(name: string): GuestFile {
  return staticFile(name, '/usr/local/sbin/gateway-first-boot', '0755');
}

/** A file that the main script sources. */
export function scriptPart(name: string): GuestFile {
  return staticFile(name, `/usr/local/lib/gateway/${name.replace(/^.*\//, '')}`);
}

/** The files that all machines have. */
export const commonFiles: readonly GuestFile[] = [
  scriptPart('report.sh'),
  scriptPart('next-boot.sh'),
  scriptPart('programs.sh'),
  scriptPart('environment.sh'),
  staticFile('first-boot.service', '/etc/systemd/system/gateway-first-boot.service'),
];

/** The files of machines that mount shares and install libraries. */
export const libraryFiles: readonly GuestFile[] = [scriptPart('mounts.sh'), scriptPart('python.sh')];
