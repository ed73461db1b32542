import type { Config, RateLimitName } from '@gateway/config';
import { rateLimited } from '@gateway/core';
import type { Redis } from '@gateway/redis';
import type { Request, RequestHandler, Response } from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import type { Caller } from '../../auth/caller.ts';
import { logInName } from '../../auth/log-in-name.ts';
import type { LogInOrigins } from '../../auth/log-in-origins.ts';
import { RedisOrMemoryStore } from './redis-or-memory-store.ts';

/**
 * What a limit counts by: the caller in a project, the client's address, the user name of a log-in, either at
 * one address or at all addresses from which the user has not logged in recently, or the job whose token a
 * machine reports with. An unknown token counts for its address, and so never blocks a machine with a valid
 * token.
 */
type CountedBy = 'caller' | 'address' | 'nameAndAddress' | 'name' | 'reportedJob';

/** Limits that an endpoint can declare. The limit of refusals applies wherever a token is validated. */
export type EndpointLimitName = Exclude<RateLimitName, 'refusals'>;

interface Rule {
  by: CountedBy;
  /** Counts only requests that end with status 401. */
  failuresOnly?: boolean;
}

/** All limits. The configuration sets the number of requests per minute. */
const RULES: Record<EndpointLimitName, Rule> = {
  login: { by: 'address' },
  loginFailures: { by: 'nameAndAddress', failuresOnly: true },
  loginFailuresByName: { by: 'name', failuresOnly: true },
  password: { by: 'caller' },
  scopeSwitch: { by: 'caller' },
  instanceCreate: { by: 'caller' },
  volumeCreate: { by: 'caller' },
  fileStorageCreate: { by: 'caller' },
  containerCreate: { by: 'caller' },
  managedClusterCreate: { by: 'caller' },
  liteCreate: { by: 'caller' },
  liteScale: { by: 'caller' },
  liteHealthCheck: { by: 'caller' },
  streamTicket: { by: 'caller' },
  callback: { by: 'reportedJob' },
  build: { by: 'caller' },
  opsChange: { by: 'caller' },
};

const WINDOW_MS = 60_000;

export interface RateLimits {
  /** Counts a request, unless the limit is switched off. @throws `rate_limited` beyond the limit */
  consume(
    name: EndpointLimitName,
    request: Request,
    response: Response,
    caller: Caller | null,
  ): Promise<void>;
  /** Whether the limit counts by a field of the body, which then has to be read first. */
  needsBody(name: EndpointLimitName): boolean;
}

interface TokenIssuer {
  /** The id of the job that has issued the token; null for an unknown token. */
  issuerOf(token: string): Promise<string | null>;
}

interface RateLimitsParts {
  redis: Redis;
  limits: Config['rateLimits'];
  logInOrigins: LogInOrigins;
  /** The stores of the tokens with which machines report. */
  issuersOfTokens: readonly TokenIssuer[];
}

export function createRateLimits({
  redis,
  limits,
  logInOrigins,
  issuersOfTokens,
}: RateLimitsParts): RateLimits {
  const callers = new WeakMap<Request, Caller>();
  const handlers = new Map<EndpointLimitName, RequestHandler>();
  for (const [name, { by, failuresOnly }] of Object.entries(RULES) as [EndpointLimitName, Rule][]) {
    if (limits[name] === 0) continue;
    handlers.set(
      name,
      rateLimit({
        windowMs: WINDOW_MS,
        limit: limits[name],
        standardHeaders: 'draft-6',
        legacyHeaders: false,
        skipSuccessfulRequests: failuresOnly === true,
        requestWasSuccessful: (_request, response) => response.statusCode !== 401,
        store: new RedisOrMemoryStore(redis, `rate:${name}:`),
        skip: (request) =>
          by === 'name' && logInOrigins.isKnown(attemptedName(request), addressOf(request.ip)),
        keyGenerator: async (request) =>
          (by === 'reportedJob' ? await issuerOf(issuersOfTokens, request) : null) ??
          keyFor(by, request, callers.get(request)),
        handler: (_request, response, next) => {
          const retryAfterSeconds = Number(response.getHeader('RateLimit-Reset') ?? WINDOW_MS / 1000);
          next(rateLimited('Too many requests. Please wait a moment and try again.', { retryAfterSeconds }));
        },
      }),
    );
  }
  return {
    needsBody: (name) => ['name', 'nameAndAddress', 'reportedJob'].includes(RULES[name].by),
    consume(name, request, response, caller) {
      const handler = handlers.get(name);
      if (handler === undefined) return Promise.resolve();
      if (caller !== null) callers.set(request, caller);
      return new Promise((resolve, reject) => {
        void handler(request, response, (error?: unknown) =>
          error === undefined ? resolve() : reject(error),
        );
      });
    },
  };
}

function keyFor(by: CountedBy, request: Request, caller: Caller | undefined): string {
  const address = addressOf(request.ip);
  if (by === 'name') return attemptedName(request);
  if (by === 'nameAndAddress') return `${attemptedName(request)}:${address}`;
  if (by === 'caller' && caller !== undefined)
    return `${caller.identity.userId}:${caller.identity.projectId}`;
  return address;
}

/** Null for an unknown token, and while the store is unavailable. */
async function issuerOf(issuers: readonly TokenIssuer[], { body }: Request): Promise<string | null> {
  const { token } = body as { token: string };
  const found = issuers.map((issuer) => issuer.issuerOf(token));
  return Promise.all(found).then(
    (ids) => ids.find((id) => id !== null) ?? null,
    () => null,
  );
}

/** The key of an address. IPv6 addresses of the same customer network have the same key. */
export function addressOf(ip: string | undefined): string {
  return ipKeyGenerator(ip ?? '');
}

/** The hash of the user name in the body, which has been validated. */
function attemptedName({ body }: Request): string {
  return attemptedNameIn(body) ?? '';
}

/** The hash of the user name in the body of a log-in; undefined for another body. */
export function attemptedNameIn(body: unknown): string | undefined {
  const { username, domain_name } = (body ?? {}) as { username?: string; domain_name?: string | null };
  return username === undefined ? undefined : logInName(username, domain_name ?? undefined);
}
