import { type Clock, GatewayError, toTimestamp } from '@gateway/core';
import type { Identity } from '@gateway/openstack';
import type { Config } from '@gateway/platform';
import type { Credentials } from './authenticator.ts';
import type { SealedTickets } from './sealed-tickets.ts';
import type { StreamTicket } from './stream-ticket-shape.ts';

interface StreamTicketParts {
  clock: Clock;
  config: Config;
  sealedTickets: SealedTickets;
}

/** The stream that a ticket opens: the events of the job, or what changes in the project. */
export function ticketSubject(jobId: unknown): string {
  return jobId === undefined ? 'events' : String(jobId);
}

/**
 * A ticket lets a client that cannot set headers, such as a browser's `EventSource`, open one stream. It can
 * be used once and stands for the credentials of its caller. These are checked when the ticket is used, so it
 * ends with the session, the token or the role. See decision 2.
 */
export async function issueStreamTicket(
  { clock, config, sealedTickets }: StreamTicketParts,
  subject: string,
  credentials: Pick<Identity, 'token' | 'projectId'>,
): Promise<StreamTicket> {
  const ttlSeconds = config.http.streamTicketSeconds;
  const ticket = await sealedTickets.issue('stream-ticket', credentials, { ttlSeconds, subject });
  return { ticket, expires_at: toTimestamp(clock.now() + ttlSeconds * 1000) ?? '' };
}

/** @throws 401 for anything but an unused ticket for this stream */
export async function redeemStreamTicket(
  { sealedTickets }: Pick<StreamTicketParts, 'sealedTickets'>,
  subject: string,
  ticket: unknown,
): Promise<Credentials> {
  const credentials = await sealedTickets.redeem('stream-ticket', ticket, subject);
  if (credentials !== null) return credentials;
  throw new GatewayError(
    401,
    'invalid_ticket',
    'The ticket is unknown, has been used or has expired. Please ask for a new one.',
  );
}
