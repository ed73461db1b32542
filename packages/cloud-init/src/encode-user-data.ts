import { gzipSync } from 'node:zlib';
import { invalidInput } from '@gateway/core';

/** Limit of the compute service for the base64 form. */
export const MAX_USER_DATA_BYTES = 65_535;

/** The machine of the first-boot data, and a remedy for data that is too long. */
const REMEDIES = {
  instance: 'Please select fewer libraries, or shorten your own first-boot data (`user_data`).',
  builder:
    'Please shorten the commands of the library, or configure fewer certificate authorities (`public_endpoint.ca_file`, `first_boot.ca_file`).',
  verifier:
    'Please configure fewer certificate authorities (`public_endpoint.ca_file`, `first_boot.ca_file`).',
  cluster:
    'An administrator has to configure fewer certificate authorities (`public_endpoint.ca_file`, `first_boot.ca_file`, `identity.ca_file`) or plugins.',
};

/**
 * Encodes first-boot data for the compute service: base64, with gzip if the plain text would be too long.
 * cloud-init decompresses it.
 *
 * @throws 400 if it is too long even with gzip
 */
export function encodeUserData(text: string, machine: keyof typeof REMEDIES): string {
  const plain = Buffer.from(text).toString('base64');
  if (plain.length <= MAX_USER_DATA_BYTES) return plain;
  const zipped = gzipSync(text, { level: 9 }).toString('base64');
  if (zipped.length <= MAX_USER_DATA_BYTES) return zipped;
  throw invalidInput(`The first-boot data of the machine would be too large. ${REMEDIES[machine]}`);
}
