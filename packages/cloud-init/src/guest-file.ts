import { readFileSync } from 'node:fs';

/** A file that cloud-init writes, with the field names of cloud-init. */
export interface GuestFile {
  path: string;
  /** Octal, such as `0600`. */
  permissions: string;
  content: string;
}

/**
 * Makes files of the scripts in a folder, unchanged: they never contain values of a plan.
 *
 * @param folder URL that ends with a slash
 */
export function guestFiles(folder: URL) {
  const staticFile = (name: string, path: string, permissions = '0644'): GuestFile => ({
    path,
    permissions,
    content: readFileSync(new URL(name, folder), 'utf8'),
  });
  return {
    staticFile,
    /** The main script: cloud-init runs it at the first boot, and its systemd service at later boots. */
    mainScript: (name: string) => staticFile(name, '/usr/local/sbin/gateway-first-boot', '0755'),
    /** A file that the main script sources. */
    scriptPart: (name: string) => staticFile(name, `/usr/local/lib/gateway/${name.replace(/^.*\//, '')}`),
  };
}

/** The scripts that machines of several kinds share, and those of instances, builders and verifiers. */
export const { staticFile, mainScript, scriptPart } = guestFiles(new URL('./guest/', import.meta.url));

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
