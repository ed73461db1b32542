import { encrypt } from 'unixcrypt';

/**
 * A password as it may stand in first-boot data (sha512-crypt, which every Linux image's log-in knows).
 * cloud-init on Linux takes no notice of the compute service's `adminPass`, so that alone would set nothing.
 */
export function hashPassword(password: string): string {
  return encrypt(password);
}
