import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\w+/=\s]+-----END CERTIFICATE-----/g;

/** Problems of a file with the certificates of authorities. */
export function checkCaFile(key: string, path: string | null): string[] {
  if (path === null) return [];
  const text = readText(path);
  if (text === null) return [`"${key}" names a file that cannot be read (${path})`];
  const certificates = text.match(CERTIFICATE) ?? [];
  if (certificates.length === 0) return [`"${key}" names a file without a PEM certificate (${path})`];
  if (!certificates.every(isCertificate))
    return [`"${key}" names a file with a broken certificate (${path})`];
  return [];
}

/** Also rejects a private key, because machines in the cloud get the file. */
export function checkPublicCaFile(key: string, path: string | null): string[] {
  const problems = checkCaFile(key, path);
  if (path === null || problems.length > 0 || readText(path)?.includes('PRIVATE KEY-----') !== true)
    return problems;
  return [`"${key}" names a file with a private key (${path}), which machines in the cloud would receive`];
}

/** Null if the file cannot be read. */
export function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem) !== null;
  } catch {
    return false;
  }
}
