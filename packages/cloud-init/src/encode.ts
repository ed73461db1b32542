import { gzipSync } from 'node:zlib';
import { invalidInput } from '@gateway/core';

/** The compute service's limit, on the base64 form. */
export const maxUserDataBytes = 65_535;

/**
 * First-boot data as the compute service takes it: base64, gzipped first when it would be too long
 * otherwise (cloud-init unpacks it).
 *
 * @throws 400 when it is too long even so
 */
export function encodeUserData(text: string): string {
  const plain = Buffer.from(text).toString('base64');
  if (plain.length <= maxUserDataBytes) return plain;
  const zipped = gzipSync(text, { level: 9 }).toString('base64');
  if (zipped.length <= maxUserDataBytes) return zipped;
  throw invalidInput(
    'The first-boot data of the machine would be too large: it takes fewer libraries, or shorter commands.',
  );
}
