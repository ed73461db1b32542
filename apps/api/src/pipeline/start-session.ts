import type { Identity } from '@gateway/openstack';
import { logInName } from '../auth/log-in-name.ts';
import type { AppContext } from '../context.ts';
import { addressOf } from '../http/limits/rate-limits.ts';

interface NewSession {
  /** The user with the token that the identity service has just issued. */
  identity: Identity;
  /** When the token was requested, in milliseconds since the epoch. */
  askedAt: number;
  /** As in the log-in. */
  username: string;
  domainName: string;
  /** The client's address. */
  address: string;
  /** What the client calls itself (`User-Agent`). */
  client?: string;
}

/** Starts the session of a log-in. Its end revokes the token. @throws while the store is unavailable */
export async function startSession(
  { authenticator, clock, issuedTokens, logInOrigins, sessionList, sessions }: AppContext,
  { identity, askedAt, username, domainName, address, client = '' }: NewSession,
): Promise<void> {
  await logInOrigins.add(logInName(username, domainName), addressOf(address));
  const id = await authenticator.register(identity, askedAt);
  await issuedTokens.add(id, identity);
  const listed = { id, startedAt: clock.now(), identity };
  for (const dropped of await sessionList.add(listed, { address, client })) await sessions.end(dropped);
}
