import type { ApplicationCredentialLogin, Identity } from '@gateway/openstack';
import { credentialName, logInName } from '../auth/log-in-name.ts';
import type { AppContext } from '../context.ts';
import { addressOf } from '../http/limits/rate-limits.ts';

export interface NewSession {
  /** The user with the token that the identity service has just issued. */
  identity: Identity;
  /** When the token was requested, in milliseconds since the epoch. */
  askedAt: number;
  /** As in the log-in. */
  username: string;
  /** The name or the id of the domain, as in the log-in. */
  domainName: string;
  /** With which a program has logged in. Its session lasts as long as the token. */
  credential?: ApplicationCredentialLogin;
  /** The client's address. */
  address: string;
  /** What the client calls itself (`User-Agent`). */
  client?: string;
}

/** Starts the session of a log-in. Its end revokes the token. @throws while the store is unavailable */
export async function startSession(
  app: AppContext,
  { identity, askedAt, username, domainName, credential, address, client = '' }: NewSession,
): Promise<void> {
  const { authenticator, clock, issuedTokens, logInOrigins, seenDomains } = app;
  const { sessionCredentials, sessionList, sessions } = app;
  await seenDomains.add(identity);
  const name =
    credential === undefined
      ? logInName(username, await seenDomains.nameOf(domainName))
      : credentialName(credential.id);
  await logInOrigins.add(name, addressOf(address));
  const id = await authenticator.register(identity, askedAt, { endsWithToken: credential !== undefined });
  if (credential !== undefined) await sessionCredentials.put(id, credential, identity.expiresAt);
  await issuedTokens.add(id, identity);
  const listed = { id, startedAt: clock.now(), identity, credentialId: credential?.id ?? null };
  for (const dropped of await sessionList.add(listed, { address, client })) await sessions.end(dropped);
}
