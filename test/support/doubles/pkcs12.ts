import { execFileSync } from 'node:child_process';
import { makeCertificates } from './certificates.ts';

/** A new certificate for a host with its key, as PKCS #12 without a password. */
export async function makePkcs12(host: string): Promise<Buffer> {
  const { remove, server } = await makeCertificates([host]);
  try {
    const input = ['-inkey', server.keyFile, '-in', server.certFile];
    return execFileSync('openssl', ['pkcs12', '-export', ...input, '-passout', 'pass:']);
  } finally {
    remove();
  }
}
