import { gzipSync } from 'node:zlib';
import { stringify } from 'yaml';

interface GuestFile {
  path: string;
  content: string;
}

/** User data in the formats that the compute service accepts: plain, multipart, or compressed multipart. */
export type Form = 'bare' | 'multipart' | 'zipped';

const BOUNDARY = '=_parts';

export function userData(files: GuestFile[], form: Form = 'bare'): string {
  const config = stringify({ write_files: files, runcmd: [['/usr/local/sbin/gateway-first-boot']] });
  if (form === 'bare') return base64(`#cloud-config\n${config}`);
  const script = '#!/bin/sh\nexec /usr/local/sbin/gateway-first-boot\n';
  const message = [
    `Content-Type: multipart/mixed; boundary="${BOUNDARY}"`,
    'MIME-Version: 1.0',
    '',
    `--${BOUNDARY}`,
    'Content-Type: text/cloud-config; charset="utf-8"',
    '',
    `#cloud-config\n${stringify({ write_files: files })}`,
    `--${BOUNDARY}`,
    'Content-Type: text/x-shellscript; charset="utf-8"',
    'Content-Transfer-Encoding: base64',
    '',
    base64(script),
    `--${BOUNDARY}--`,
    '',
  ].join('\n');
  return form === 'zipped' ? gzipSync(message).toString('base64') : base64(message);
}

export function builderFiles(reportUrl: string, more: GuestFile[] = []): GuestFile[] {
  const plan = [
    'task build',
    'library numerics',
    'version 1.26',
    'package_1 numpy==1.26.*',
    'package_1 six',
    'mount_type nfs',
    `report_url ${reportUrl}`,
    'time_limit 120',
  ];
  return [
    { path: '/etc/gateway/first-boot/plan', content: `${plan.join('\n')}\n` },
    { path: '/etc/gateway/first-boot/report-token', content: 'one-time\n' },
    ...more,
  ];
}

/** The mount unit of a share, with `options` in addition to the usual ones. */
export function mountUnit(what: string, type: 'nfs' | 'ceph', options: string[]): GuestFile {
  const lines = ['[Mount]', `What=${what}`, 'Where=/share', `Type=${type}`, `Options=${options.join(',')}`];
  return { path: '/etc/systemd/system/share.mount', content: `${lines.join('\n')}\n` };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
