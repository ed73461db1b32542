import type { Dependencies } from '@gateway/context';
import { Authenticator } from './auth/authenticator.ts';
import { InProcessTokenCache } from './auth/in-process-token-cache.ts';
import { IssuedTokens } from './auth/issued-tokens.ts';
import { LogInOrigins } from './auth/log-in-origins.ts';
import { Refusals } from './auth/refusals.ts';
import { SealedTickets } from './auth/sealed-tickets.ts';
import { SeenCatalog } from './auth/seen-catalog.ts';
import { SeenDomains } from './auth/seen-domains.ts';
import { SessionCredentials } from './auth/session-credentials.ts';
import { SessionList } from './auth/session-list.ts';
import { Sessions } from './auth/sessions.ts';
import { TokenCache } from './auth/token-cache.ts';
import { UsedPasscodes } from './auth/used-passcodes.ts';
import { createFailureLimit } from './http/limits/failure-limit.ts';
import { limitAt } from './http/limits/limits-by-address.ts';

/** Authentication and authorization of requests. */
export interface Authentication {
  readonly authenticator: Authenticator;
  readonly sessions: Sessions;
  readonly sessionList: SessionList;
  readonly sessionCredentials: SessionCredentials;
  readonly issuedTokens: IssuedTokens;
  readonly logInOrigins: LogInOrigins;
  readonly usedPasscodes: UsedPasscodes;
  readonly seenCatalog: SeenCatalog;
  readonly seenDomains: SeenDomains;
  readonly sealedTickets: SealedTickets;
}

export function createAuthentication({
  clock,
  cloudChecks,
  config,
  logger,
  openstack,
  redis,
  sealer,
  serviceAccount,
}: Dependencies): Authentication {
  const sessions = new Sessions(redis.store, config.session, clock);
  const onStoreUnavailable = (error: unknown) => logger.debug('The store is unavailable', { error });
  const sessionList = new SessionList({ redis: redis.store, clock, onUnavailable: onStoreUnavailable });
  const channel = `${config.redis.keyPrefix}invalidated-users`;
  const refusalLimit = createFailureLimit({
    redis: redis.store,
    logger,
    name: 'refusals',
    limitOf: (key) => limitAt(config.rateLimits, 'refusals', /^address:(.*)/.exec(key)?.[1] ?? ''),
  });
  const refusals = new Refusals(refusalLimit, clock);
  const authenticator = new Authenticator({
    openstack,
    sessions,
    sessionList,
    tokenCache: new TokenCache(redis.store, channel, sealer, config.session, clock),
    inProcessCache: new InProcessTokenCache({
      subscriber: redis.subscriber('invalidated-users'),
      channel,
      sessions,
      maxAgeMs: config.session.tokenCacheSeconds * 1000,
      clock,
      onInvalidate: () => refusals.clear(),
    }),
    refusals,
    rights: config.identity,
    clock,
    onStoreUnavailable,
  });
  return {
    authenticator,
    sessions,
    sessionList,
    sessionCredentials: new SessionCredentials(redis.store, sealer),
    issuedTokens: new IssuedTokens(redis.store, sealer),
    logInOrigins: new LogInOrigins(redis.store),
    usedPasscodes: new UsedPasscodes(redis.store, sealer),
    seenCatalog: new SeenCatalog(serviceAccount, clock, cloudChecks),
    seenDomains: new SeenDomains(redis.store),
    sealedTickets: new SealedTickets({ redis: redis.store, sealer, clock }),
  };
}
