import { readFileSync } from 'node:fs';
import type { HttpConfig } from './config.ts';

/** Sentences about the file with the authority behind the public address, which machines are given as it stands. */
export function checkAuthority({ publicCaFile }: Pick<HttpConfig, 'publicCaFile'>): string[] {
  if (publicCaFile === null) return [];
  const text = textOf(publicCaFile);
  if (text === null) return [`"http.public_ca_file" names a file that can not be read (${publicCaFile})`];
  if (!text.includes('-----BEGIN CERTIFICATE-----')) {
    return [`"http.public_ca_file" names a file without a certificate in PEM (${publicCaFile})`];
  }
  if (text.includes('PRIVATE KEY-----')) {
    return [
      `"http.public_ca_file" names a file with a private key (${publicCaFile}), which machines would be given`,
    ];
  }
  return [];
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
