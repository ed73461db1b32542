import { rateLimited } from '@gateway/core';
import type { Config, Logger, RateLimitName } from '@gateway/platform';
import type { Redis } from '@gateway/store';
import type { Request, RequestHandler, Response } from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import type { Caller } from '../../auth/caller.ts';
import { type DomainFields, domainsOf, textOf } from '../../auth/log-in-domains.ts';
import { credentialName, logInName } from '../../auth/log-in-name.ts';
import type { LogInOrigins } from '../../auth/log-in-origins.ts';
import type { LogInReceipt, SealedTickets } from '../../auth/sealed-tickets.ts';
import type { SeenDomains } from '../../auth/seen-domains.ts';
import type { ErrorCode } from '../schemas/error-codes.ts';
import { createFailureLimit, type FailureLimit } from './failure-limit.ts';
import { limitAt } from './limits-by-address.ts';
import { RedisOrMemoryStore } from './redis-or-memory-store.ts';

/**
 * What a limit counts by: the caller in a project, the project, the client's address, the name of a log-in
 * (or the id of its application credential), either at one address or at all addresses from which the user
 * has not logged in recently, the user whose log-in a receipt continues, or the job whose token a machine
 * reports with. An unknown token counts for its address, and so never blocks a machine with a valid token.
 */
type CountedBy =
  | 'caller'
  | 'project'
  | 'address'
  | 'nameAndAddress'
  | 'name'
  | 'continuedLogIn'
  | 'reportedJob';

/** Limits that an endpoint can declare. The limit of refusals applies wherever a token is validated. */
export type EndpointLimitName = Exclude<RateLimitName, 'refusals'>;

interface Rule {
  by: CountedBy;
  /**
   * Counts only requests that end with status 401, unless their credentials were not wrong. `strict` counts
   * those in progress too, so that nobody can try more passwords at once.
   */
  failuresOnly?: 'strict' | 'ended';
  /** Gives the count of a request back that is refused for its input or for a state: it creates nothing. */
  unlessRefused?: true;
  /** A minute by default. */
  windowMs?: number;
}

const MINUTE_MS = 60_000;

/** Codes of responses with status 401 to a log-in whose credentials were not wrong. */
const NO_FAILURES: string[] = ['totp_required', 'password_expired', 'invalid_receipt'] satisfies ErrorCode[];

/** Statuses of such requests: what they name is malformed or missing, or a state or quota is against it. */
const REFUSED = [400, 404, 409, 413, 415];

/**
 * All limits. The configuration sets the number of requests per window, and is read for each request.
 */
const RULES: Record<EndpointLimitName, Rule> = {
  login: { by: 'address' },
  // Many people may log in at once behind one address.
  loginFailuresByAddress: { by: 'address', failuresOnly: 'ended' },
  loginFailures: { by: 'nameAndAddress', failuresOnly: 'strict' },
  loginFailuresByName: { by: 'name', failuresOnly: 'strict' },
  // Whoever tries passcodes has the password, so this limit locks out nobody else.
  passcodeFailures: { by: 'continuedLogIn', failuresOnly: 'strict', windowMs: 60 * MINUTE_MS },
  password: { by: 'caller' },
  scopeSwitch: { by: 'caller' },
  instanceCreate: { by: 'caller', unlessRefused: true },
  volumeCreate: { by: 'caller', unlessRefused: true },
  fileStorageCreate: { by: 'caller', unlessRefused: true },
  containerCreate: { by: 'caller', unlessRefused: true },
  managedClusterCreate: { by: 'caller', unlessRefused: true },
  liteCreate: { by: 'caller', unlessRefused: true },
  liteScale: { by: 'caller' },
  liteHealthCheck: { by: 'caller' },
  streamTicket: { by: 'caller' },
  callback: { by: 'reportedJob' },
  build: { by: 'caller', unlessRefused: true },
  opsChange: { by: 'caller' },
  webhookTest: { by: 'project' },
};

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

interface AttemptedNameParts {
  sealedTickets: SealedTickets;
  seenDomains: SeenDomains;
}

interface RateLimitsParts extends AttemptedNameParts {
  redis: Redis;
  logger: Logger;
  limits: Config['rateLimits'];
  logInOrigins: LogInOrigins;
  /** The stores of the tokens with which machines report. */
  issuersOfTokens: readonly TokenIssuer[];
}

export function createRateLimits({
  redis,
  logger,
  limits,
  logInOrigins,
  sealedTickets,
  seenDomains,
  issuersOfTokens,
}: RateLimitsParts): RateLimits {
  const callers = new WeakMap<Request, Caller>();
  const handlers = new Map<EndpointLimitName, RequestHandler>();
  const attemptedName = async ({ body }: Request) =>
    (await attemptedNameIn(body, { sealedTickets, seenDomains })) ?? '';
  for (const [name, { by, failuresOnly, unlessRefused, windowMs = MINUTE_MS }] of Object.entries(RULES) as [
    EndpointLimitName,
    Rule,
  ][]) {
    const counter = { redis, logger, name };
    if (failuresOnly === 'ended') {
      const failures = createFailureLimit({ ...counter, limitOf: (key) => limitAt(limits, name, key) });
      handlers.set(name, countWhenEnded(failures));
      continue;
    }
    handlers.set(
      name,
      rateLimit({
        windowMs,
        limit: ({ ip }) => (by === 'address' ? limitAt(limits, name, addressOf(ip)) : limits[name]),
        standardHeaders: 'draft-6',
        legacyHeaders: false,
        // The count of a request that is successful in this sense is given back once its response has ended.
        skipSuccessfulRequests: failuresOnly === 'strict' || unlessRefused === true,
        requestWasSuccessful: (_request, response) =>
          unlessRefused === true ? REFUSED.includes(response.statusCode) : !hasFailed(response),
        store: new RedisOrMemoryStore(counter),
        skip: async (request) =>
          by === 'continuedLogIn'
            ? continuedLogIn(request.body, sealedTickets) === null
            : by === 'name' &&
              (await logInOrigins.isKnown(await attemptedName(request), addressOf(request.ip))),
        keyGenerator: async (request) =>
          (by === 'reportedJob' ? await reporterOf(issuersOfTokens, request) : null) ??
          (await keyFor(by, request, callers.get(request))),
        handler: (_request, response, next) => {
          const retryAfterSeconds = Number(response.getHeader('RateLimit-Reset') ?? windowMs / 1000);
          next(rateLimited('Too many requests. Please wait a moment and try again.', { retryAfterSeconds }));
        },
      }),
    );
  }
  return {
    needsBody: (name) => !['caller', 'project', 'address'].includes(RULES[name].by),
    consume(name, request, response, caller) {
      const handler = handlers.get(name);
      if (handler === undefined || limits[name] === 0) return Promise.resolve();
      if (caller !== null) callers.set(request, caller);
      return new Promise((resolve, reject) => {
        void handler(request, response, (error?: unknown) =>
          error === undefined ? resolve() : reject(error),
        );
      });
    },
  };

  async function keyFor(by: CountedBy, request: Request, caller: Caller | undefined): Promise<string> {
    const address = addressOf(request.ip);
    if (by === 'name') return attemptedName(request);
    if (by === 'nameAndAddress') return `${await attemptedName(request)}:${address}`;
    if (by === 'continuedLogIn') return continuedLogIn(request.body, sealedTickets)?.userId ?? address;
    if (by === 'caller' && caller !== undefined)
      return `${caller.identity.userId}:${caller.identity.projectId}`;
    if (by === 'project' && caller !== undefined) return caller.identity.projectId;
    return address;
  }
}

/** By address. */
function countWhenEnded(failures: FailureLimit): RequestHandler {
  return async ({ ip }, response, next) => {
    const address = addressOf(ip);
    await failures.check(address).then(() => next(), next);
    response.once('close', () => {
      // The store falls back to memory by itself.
      if (hasFailed(response)) void failures.count(address);
    });
  };
}

function hasFailed({ locals, statusCode }: Response): boolean {
  return statusCode === 401 && !NO_FAILURES.includes(locals.errorCode ?? '');
}

/**
 * The job whose machine reports. Its progress counts apart, so that the result is never one report too many.
 * Null for an unknown token.
 */
async function reporterOf(issuers: readonly TokenIssuer[], request: Request): Promise<string | null> {
  const jobId = await issuerOf(issuers, request);
  const { stage, success } = request.body as { stage?: string; success?: boolean };
  return jobId !== null && stage !== undefined && success === undefined ? `${jobId}:progress` : jobId;
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

/**
 * The hash of the user name in the validated body of a log-in or in its receipt, or of the id of its
 * application credential; undefined for none of them.
 */
export async function attemptedNameIn(
  body: unknown,
  { sealedTickets, seenDomains }: AttemptedNameParts,
): Promise<string | undefined> {
  const continued = continuedLogIn(body, sealedTickets);
  if (continued !== null) {
    return logInName(continued.username, await seenDomains.nameOf(continued.domainName));
  }
  const { application_credential: credential } = (body ?? {}) as {
    application_credential?: { id: string } | null;
  };
  if (credential != null) return credentialName(credential.id);
  const { username, ...domains } = (body ?? {}) as { username?: string } & DomainFields;
  if (username === undefined) return undefined;
  return logInName(username, await seenDomains.nameOf(textOf(domainsOf(domains).user)));
}

/** The log-in that the receipt in the body continues; null without a receipt of this gateway. */
function continuedLogIn(body: unknown, tickets: SealedTickets): LogInReceipt | null {
  const { receipt } = (body ?? {}) as { receipt?: string };
  return receipt === undefined ? null : tickets.openExpired('log-in-receipt', receipt);
}
