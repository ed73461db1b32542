import { randomBytes } from 'node:crypto';
import type { Sealer } from '@gateway/core';

const PURPOSE = 'webhook secret';
/** The prefix of the form of Standard Webhooks, so that scanners for secrets know it. */
const PREFIX = 'whsec_';

export function newSecret(): string {
  return `${PREFIX}${randomBytes(32).toString('base64')}`;
}

export function sealSecret(sealer: Sealer, secret: string): string {
  return sealer.seal(PURPOSE, secret);
}

/** @throws UnknownSealingKeyError, NewerFormError */
export function openSecret(sealer: Sealer, sealed: string): string {
  return sealer.open(PURPOSE, sealed);
}
