import { fileURLToPath } from 'node:url';
import { type Config, readTlsFiles } from '@gateway/platform';
import { FileReceiver } from './file-receiver.ts';
import { HttpReceiver } from './http-receiver.ts';
import type { AuditReceiver } from './receiver.ts';
import { SyslogReceiver } from './syslog-receiver.ts';

/** The receiver that the settings name; null for none. */
export function openAuditReceiver({ audit, gateway, secrets }: Config): AuditReceiver | null {
  const { caFile, url: address } = audit.stream;
  if (address === null) return null;
  const url = new URL(address);
  const { ca } = readTlsFiles({ caFile, certFile: null, keyFile: null });
  if (url.protocol === 'file:') return new FileReceiver(fileURLToPath(url));
  if (url.protocol.startsWith('syslog')) return new SyslogReceiver(url, { appName: gateway.name, ca });
  return new HttpReceiver(url, { token: secrets.auditStreamToken, ca });
}
