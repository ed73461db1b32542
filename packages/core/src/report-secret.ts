import { createHash, randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;
/** The scripts of machines derive the next secret with the same label. */
const NEXT_SECRET_LABEL = 'gateway first boot: next secret';

/** A secret with which a machine reports to the gateway. Only its hash is stored. */
export function newReportSecret(): string {
  return randomBytes(SECRET_BYTES).toString('hex');
}

/** The secret that replaces this one when the gateway has accepted a final report. Both sides derive it. */
function nextReportSecret(secret: string): string {
  return reportHash(`${secret} ${NEXT_SECRET_LABEL}`);
}

/**
 * The next secrets, which the gateway accepts too: only the machine knows them, and a store that was set back
 * has missed some.
 */
export function secretsAfter(secret: string, count: number): string[] {
  const secrets: string[] = [];
  for (let last = secret; secrets.length < count; ) {
    last = nextReportSecret(last);
    secrets.push(last);
  }
  return secrets;
}

/** Secrets are long and random, so a fast hash is enough. */
export function reportHash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
