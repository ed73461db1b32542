import { randomBytes } from 'node:crypto';
import { saltFrom, sha512Crypt } from './sha512-crypt.ts';

const SALT_LENGTH = 16;

/**
 * Hashes a password for first-boot data with sha512-crypt, which all Linux images support. A creation also
 * sets the compute service's `adminPass`: cloud-init ignores it on Linux, and images with a guest agent need
 * it. Users who can read the instance's user data can read the hash, not the password.
 */
export function hashPassword(password: string): Promise<string> {
  return sha512Crypt(password, saltFrom(randomBytes(SALT_LENGTH)));
}
