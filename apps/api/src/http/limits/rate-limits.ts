import type { Config, RateLimitName } from '@gateway/config';
import { rateLimited } from '@gateway/core';
import type { Redis } from '@gateway/redis';
import type { Request, RequestHandler, Response } from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import type { Caller } from '../../auth/caller.ts';
import { logInName } from '../../auth/log-in-name.ts';
import type { LogInOrigins } from '../../auth/log-in-origins.ts';
import { RedisOrMemoryStore } from './rate-limit-store.ts';

/**
 * What a limit counts by: the caller in a project, the peer's address, or the user name that was tried, at that address
 * or at all addresses that the user has not logged in from lately.
 */
type CountedBy = 'caller' | 'address' | 'nameAndAddress' | 'name';

/** Limits that an endpoint can declare; refusals are counted wherever there is a token to check. */
export type EndpointLimitName = Exclude<RateLimitName, 'refusals'>;

interface Rule {
  by: CountedBy;
  /** Only requests that are refused for who asks count, not those that nobody could judge. */
  failuresOnly?: boolean;
}

/** All limits on one page; how many a minute is configuration. */
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
  callback: { by: 'address' },
  build: { by: 'caller' },
};

const WINDOW_MS = 60_000;

export interface RateLimits {
  /** Counts a request; throws `rate_limited` when it is one too many. A limit that is off lets all pass. */
  consume(
    name: EndpointLimitName,
    request: Request,
    response: Response,
    caller: Caller | null,
  ): Promise<void>;
  /** True when the limit counts by something in the body, which has to be read first. */
  needsBody(name: EndpointLimitName): boolean;
}

export interface RateLimitsParts {
  redis: Redis;
  limits: Config['rateLimits'];
  logInOrigins: LogInOrigins;
}

export function createRateLimits({ redis, limits, logInOrigins }: RateLimitsParts): RateLimits {
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
        skip: (request) => by === 'name' && logInOrigins.isKnown(nameTried(request), addressOf(request.ip)),
        keyGenerator: (request) => countedAs(by, request, callers.get(request)),
        handler: (_request, response, next) => {
          const retryAfterSeconds = Number(response.getHeader('RateLimit-Reset') ?? WINDOW_MS / 1000);
          next(rateLimited('Too many requests. Please wait a moment and try again.', { retryAfterSeconds }));
        },
      }),
    );
  }
  return {
    needsBody: (name) => RULES[name].by === 'name' || RULES[name].by === 'nameAndAddress',
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

function countedAs(by: CountedBy, request: Request, caller: Caller | undefined): string {
  const address = addressOf(request.ip);
  if (by === 'name') return nameTried(request);
  if (by === 'nameAndAddress') return `${nameTried(request)}:${address}`;
  if (by === 'caller' && caller !== undefined)
    return `${caller.identity.userId}:${caller.identity.projectId}`;
  return address;
}

/** One for a whole network of IPv6 addresses that belong to one customer. */
export function addressOf(ip: string | undefined): string {
  return ipKeyGenerator(ip ?? '');
}

/** The body is checked before it is counted by. */
function nameTried({ body }: Request): string {
  const { username, domain_name } = body as { username: string; domain_name?: string | null };
  return logInName(username, domain_name ?? undefined);
}
