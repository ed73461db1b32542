import { createHash } from 'node:crypto';
import { Slices } from '@gateway/core';

const ROUNDS = 5000;
/** The number of rounds between two reads of the clock. */
const ROUNDS_PER_CHECK = 50;
const ALPHABET = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** The bytes of a digest are encoded in groups of three, and the last byte separately. */
const GROUPS = 21;

/**
 * `crypt(3)` with SHA-512 and its default number of rounds, as specified in "Unix crypt using SHA-256
 * and SHA-512". Works in slices, between which the process does other work. No maintained library does
 * so: they block the event loop, and the usual one computes a wrong hash for passwords whose length is
 * a multiple of 64 bytes.
 *
 * @param salt up to 16 characters of the alphabet of `crypt`
 */
export async function sha512Crypt(password: string, salt: string): Promise<string> {
  const key = Buffer.from(password);
  const seed = Buffer.from(salt);
  const second = digest([key, seed, key]);
  const first = digest([key, seed, repeated(second, key.length), ...bitsOf(key.length, second, key)]);
  const keys = repeated(digest([Buffer.alloc(key.length * key.length, key)]), key.length);
  const seeds = repeated(digest(Array.from({ length: 16 + (first[0] ?? 0) }, () => seed)), seed.length);
  const slices = new Slices();
  let current = first;
  for (let round = 0; round < ROUNDS; round += 1) {
    if (round % ROUNDS_PER_CHECK === 0) await slices.pause();
    const isOdd = round % 2 === 1;
    const parts = [isOdd ? keys : current];
    if (round % 3 !== 0) parts.push(seeds);
    if (round % 7 !== 0) parts.push(keys);
    parts.push(isOdd ? current : keys);
    current = digest(parts);
  }
  return `$6$${salt}$${encode(current)}`;
}

function digest(parts: readonly Buffer[]): Buffer {
  const hash = createHash('sha512');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** The block repeated and cut to the length. */
function repeated(block: Buffer, length: number): Buffer {
  return Buffer.alloc(length, block);
}

/** One part for each bit of the number, from the lowest. */
function bitsOf(number: number, ifSet: Buffer, otherwise: Buffer): Buffer[] {
  return [...number.toString(2)].reverse().map((bit) => (bit === '1' ? ifSet : otherwise));
}

function encode(bytes: Buffer): string {
  const at = (index: number) => bytes[index] ?? 0;
  let text = '';
  for (let group = 0; group < GROUPS; group += 1) {
    // The bytes of each group are rotated by one against those of the previous group.
    const [high, middle, low] = [0, 1, 2].map((offset) => at(group + GROUPS * ((offset + group) % 3)));
    text += sixBits(((high ?? 0) << 16) | ((middle ?? 0) << 8) | (low ?? 0), 4);
  }
  return text + sixBits(at(GROUPS * 3), 2);
}

/** Characters for six bits each, from the lowest. */
function sixBits(value: number, characters: number): string {
  return Array.from({ length: characters }, (_, index) => ALPHABET[(value >> (6 * index)) & 63]).join('');
}

/** A salt of 16 characters, one for each random byte. */
export function saltFrom(random: Buffer): string {
  return Array.from(random, (byte) => ALPHABET[byte & 63]).join('');
}
