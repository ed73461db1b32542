import { gzipSync } from 'node:zlib';
import { invalidInput } from '@gateway/core';

/** Limit of the compute service for the base64 form. */
export const MAX_USER_DATA_BYTES = 65_535;

/** Whose first-boot data it is, and what makes it shorter. */
const REMEDIES = {
  instance: 'Please select fewer libraries.',
  builder:
    'Please shorten the commands of the library, or configure fewer certificate authorities (`http.public_ca_file`).',
  cluster:
    'An administrator has to configure fewer certificate authorities (`http.public_ca_file`, `identity.ca_file`) or plugins.',
};

/**
 * Encodes first-boot data for the compute service: base64, of the gzipped text if the plain one would be too long.
 * cloud-init unpacks it.
 *
 * @throws 400 if it is too long even when gzipped
 */
export function encodeUserData(text: string, machine: keyof typeof REMEDIES): string {
  const plain = Buffer.from(text).toString('base64');
  if (plain.length <= MAX_USER_DATA_BYTES) return plain;
  const zipped = gzipSync(text, { level: 9 }).toString('base64');
  if (zipped.length <= MAX_USER_DATA_BYTES) return zipped;
  throw invalidInput(`The first-boot data of the machine would be too large. ${REMEDIES[machine]}`);
}
