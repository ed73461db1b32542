import { readFileSync } from 'node:fs';
import type { HttpConfig } from './process-config.ts';

/** Problems of the CA file for the public URL. Builder machines get the file unchanged. */
export function checkPublicCa({ publicCaFile }: Pick<HttpConfig, 'publicCaFile'>): string[] {
  if (publicCaFile === null) return [];
  const text = readText(publicCaFile);
  if (text === null) return [`"http.public_ca_file" names a file that cannot be read (${publicCaFile})`];
  if (!text.includes('-----BEGIN CERTIFICATE-----')) {
    return [`"http.public_ca_file" names a file without a PEM certificate (${publicCaFile})`];
  }
  if (text.includes('PRIVATE KEY-----')) {
    return [
      `"http.public_ca_file" names a file with a private key (${publicCaFile}), which builder machines would receive`,
    ];
  }
  return [];
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
