import { randomBytes } from 'node:crypto';
import {
  type Clock,
  fingerprint,
  formatStored,
  GatewayError,
  parseStored,
  type Sealer,
  storedForms,
  toTimestamp,
} from '@gateway/core';
import type { Redis } from '@gateway/store';
import type { Credentials } from './authenticator.ts';

interface StreamTicketsOptions {
  redis: Redis;
  sealer: Sealer;
  clock: Clock;
  lifetimeSeconds: number;
}

export interface StreamTicket {
  ticket: string;
  /** ISO 8601. */
  expires_at: string;
}

const TICKET_BYTES = 32;
const TICKET = /^[\w-]{43}$/;

/**
 * Tickets let a client that cannot set headers, such as a browser's `EventSource`, open one stream: the
 * events of a job, or what changes in the project. A ticket can be used once and stands for the credentials
 * of its caller. The credentials are checked when the ticket is used, so it ends with the session, the token
 * or the role. The ticket is stored as a hash, and the credentials are sealed. See decision 2.
 */
export class StreamTickets {
  readonly #options: StreamTicketsOptions;

  constructor(options: StreamTicketsOptions) {
    this.#options = options;
  }

  async issue(subject: string, credentials: Required<Credentials>): Promise<StreamTicket> {
    const { redis, sealer, clock, lifetimeSeconds } = this.#options;
    const ticket = randomBytes(TICKET_BYTES).toString('base64url');
    const key = keyOf(subject, ticket);
    await redis.set(
      key,
      sealer.seal(key, formatStored(storedForms.credential, credentials)),
      'EX',
      lifetimeSeconds,
    );
    return { ticket, expires_at: toTimestamp(clock.now() + lifetimeSeconds * 1000) ?? '' };
  }

  /**
   * Returns the ticket's credentials. The ticket cannot be used again.
   * @throws 401 for anything but an unused ticket for this stream
   */
  async redeem(subject: string, ticket: unknown): Promise<Credentials> {
    const { redis, sealer } = this.#options;
    if (typeof ticket !== 'string' || !TICKET.test(ticket)) throw invalidTicket();
    const key = keyOf(subject, ticket);
    const sealed = await redis.getdel(key);
    const opened = sealed === null ? null : sealer.openIfKnown(key, sealed);
    if (opened === null) throw invalidTicket();
    return parseStored<Credentials>(storedForms.credential, opened);
  }
}

/** The stream that a ticket opens: the events of the job, or what changes in the project. */
export function ticketSubject(jobId: unknown): string {
  return jobId === undefined ? 'events' : String(jobId);
}

/** The subject is part of the hash, so using the ticket with another stream fails and does not consume it. */
function keyOf(subject: string, ticket: string): string {
  return `stream-ticket:${fingerprint(`${subject} ${ticket}`)}`;
}

function invalidTicket(): GatewayError {
  return new GatewayError(
    401,
    'invalid_ticket',
    'The ticket is unknown, has been used or has expired. Please ask for a new one.',
  );
}
