import { readFileSync } from 'node:fs';

/** A file that first-boot data puts in place, in cloud-init's own field names. */
export interface GuestFile {
  path: string;
  permissions: '0600' | '0644' | '0755';
  content: string;
}

/** What every layered instance gets, the same to the byte: no value of a plan is ever put into it. */
export const staticFiles: readonly GuestFile[] = [
  shipped('first-boot.sh', '/usr/local/sbin/gateway-first-boot', '0755'),
  shipped('report.sh', '/usr/local/lib/gateway/report.sh', '0644'),
  shipped('packages.sh', '/usr/local/lib/gateway/packages.sh', '0644'),
  shipped('shares.sh', '/usr/local/lib/gateway/shares.sh', '0644'),
  shipped('upper-disk.sh', '/usr/local/lib/gateway/upper-disk.sh', '0644'),
  shipped('workspace.service', '/etc/systemd/system/gateway-workspace.service', '0644'),
  shipped('service-environment.conf', '/etc/systemd/system.conf.d/50-gateway-workspace.conf', '0644'),
  shipped('profile.sh', '/etc/profile.d/gateway-workspace.sh', '0644'),
];

function shipped(name: string, path: string, permissions: GuestFile['permissions']): GuestFile {
  return { path, permissions, content: readFileSync(new URL(`./guest/${name}`, import.meta.url), 'utf8') };
}
