import { encrypt } from 'unixcrypt';

/**
 * Hashes a password for first-boot data with sha512-crypt, which all Linux images support. The compute service's
 * `adminPass` alone would have no effect, because cloud-init ignores it on Linux.
 */
export function hashPassword(password: string): string {
  return encrypt(password);
}
