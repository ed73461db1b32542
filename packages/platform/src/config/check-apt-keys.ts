import { readFileSync } from 'node:fs';
import type { AptSourceConfig } from './config.ts';

/** In base64, as part of first-boot data, which is limited to 64 KB. */
const MAX_KEY_BYTES = 16_384;
const BEGIN = '-----BEGIN PGP PUBLIC KEY BLOCK-----';
const END = '-----END PGP PUBLIC KEY BLOCK-----';

/** Problems of the keys of repositories: a useless key would only show in the log of a machine. */
export function checkAptKeys(sources: readonly AptSourceConfig[]): string[] {
  return sources.flatMap(({ keyFile }, at) => {
    const problem = problemOf(keyFile);
    return problem === null ? [] : [`"first_boot.apt_sources[${at}].key_file" names ${problem} (${keyFile})`];
  });
}

function problemOf(path: string): string | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return 'a file that cannot be read';
  }
  if (text.length > MAX_KEY_BYTES) return `a file with more than ${MAX_KEY_BYTES} bytes`;
  return isPublicKey(text.trim()) ? null : 'a file that is not one public key in ASCII armor';
}

function isPublicKey(text: string): boolean {
  const isOne = text.startsWith(BEGIN) && text.endsWith(END) && text.split('-----BEGIN ').length === 2;
  return isOne && /^[\t\r\n -~]*$/.test(text);
}
