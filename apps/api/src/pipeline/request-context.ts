import { newId } from '@gateway/core';
import type { BoundClient, CallContext, Identity } from '@gateway/openstack';
import type { Logger } from '@gateway/platform';
import type { Request, Response } from 'express';
import type { Credentials } from '../auth/authenticator.ts';
import type { Caller } from '../auth/caller.ts';
import type { AppContext } from '../context.ts';
import { newRequestMark, type RequestMark } from '../http/idempotency/request-mark.ts';
import { addressOf } from '../http/limits/rate-limits.ts';
import { clientAddress } from '../http/request/client-address.ts';
import type { IdentifiedUser } from '../http/response/gateway-response.ts';

/** What a handler gets: validated input, the caller, and the cloud with the caller's rights. */
export interface RequestContext<Params = unknown, Query = unknown, Body = unknown> {
  readonly app: AppContext;
  readonly requestId: string;
  readonly logger: Logger;
  /** The client's address, or the forwarded address behind a trusted proxy. */
  readonly address: string;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** Throws on a public endpoint, which has no caller. */
  readonly caller: Caller;
  /** The token in the request, or in its cookie. Its project may differ from the project of `caller`. */
  readonly callerToken: string;
  /** The request of Express. Only streams, which outlast their handler, need it. */
  readonly request: Request;
  /** What the caller was authenticated with. */
  readonly credentials: Credentials;
  /** Checks the credentials again. @throws as authentication does */
  authenticate(): Promise<Caller>;
  readonly openstack: BoundClient;
  /** For calls to services on behalf of the client. */
  readonly call: CallContext;
  /** The id of the job that the request starts. Repeats with the same `Idempotency-Key` get the same id. */
  readonly jobId: string;
  /** A request with the same key came before, so the job may exist already. */
  readonly isRepeat: boolean;
  /** The mark for resources that the request creates in the cloud. */
  readonly mark: RequestMark;
  /** Whether the request is authenticated by a cookie, so that the response must not contain a token. */
  readonly hasSessionCookie: boolean;
  header(name: string): string | undefined;
  /** Puts the session of a browser into a cookie, or removes it. Only while cookies are enabled. */
  setSessionCookie(identity: Identity | null): void;
  /** Records whom a public endpoint has identified, for the logs. */
  identified(user: IdentifiedUser): void;
  /** Records the job that the request has started, for the logs and the history. */
  startedJob(jobId: string): void;
  /** Records what a request that succeeds could not remove, for the audit log: `floating_ip <id>`. */
  leavesBehind(leftover: string): void;
}

export interface RequestParts {
  app: AppContext;
  request: Request;
  /** Absent where the handler cannot set a cookie. */
  response?: Response;
  requestId: string;
  caller: Caller | null;
  /** What the caller was authenticated with. */
  credentials: Credentials;
  params: unknown;
  query: unknown;
  body: unknown;
  /** Defaults to a new id. */
  jobId?: string;
  isRepeat?: boolean;
  /** Of a request with an `Idempotency-Key`. */
  mark?: RequestMark;
  onIdentified?: (user: IdentifiedUser) => void;
  onJob?: (jobId: string) => void;
  onLeftover?: (leftover: string) => void;
}

export function createRequestContext(parts: RequestParts): RequestContext {
  return new HandledRequest(parts);
}

/**
 * Created for each request that is not answered from the cache. Costly properties are computed on first use.
 */
class HandledRequest implements RequestContext {
  readonly app: AppContext;
  readonly requestId: string;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly isRepeat: boolean;
  readonly request: Request;
  readonly #response: Response | null;
  readonly #caller: Caller | null;
  readonly credentials: Credentials;
  readonly #onIdentified: (user: IdentifiedUser) => void;
  readonly #onJob: (jobId: string) => void;
  readonly #onLeftover: (leftover: string) => void;
  #openstack: BoundClient | null = null;
  #jobId: string | null;
  #mark: RequestMark | null;

  constructor(parts: RequestParts) {
    this.app = parts.app;
    this.requestId = parts.requestId;
    this.params = parts.params;
    this.query = parts.query;
    this.body = parts.body;
    this.request = parts.request;
    this.#response = parts.response ?? null;
    this.#caller = parts.caller;
    this.credentials = parts.credentials;
    this.#onIdentified = parts.onIdentified ?? (() => {});
    this.#onJob = parts.onJob ?? (() => {});
    this.#onLeftover = parts.onLeftover ?? (() => {});
    this.#jobId = parts.jobId ?? null;
    this.isRepeat = parts.isRepeat ?? false;
    this.#mark = parts.mark ?? null;
  }

  get logger(): Logger {
    return this.app.logger.child({ request_id: this.requestId });
  }

  get address(): string {
    return this.#response?.locals.address ?? clientAddress(this.request);
  }

  get caller(): Caller {
    if (this.#caller === null) throw new Error('A public endpoint has no caller.');
    return this.#caller;
  }

  authenticate(): Promise<Caller> {
    return this.app.authenticator.authenticate(this.credentials, {
      projectRequired: true,
      requestId: this.requestId,
      address: () => addressOf(this.request.ip),
      clientAddress: this.address,
      client: this.header('user-agent'),
    });
  }

  get callerToken(): string {
    return this.request.get('x-auth-token') ?? '';
  }

  get openstack(): BoundClient {
    const bound = this.#openstack ?? this.app.openstack.as(this.caller.identity, this.call);
    this.#openstack = bound;
    return bound;
  }

  get call(): CallContext {
    return { requestId: this.requestId, clientAddress: this.address };
  }

  get jobId(): string {
    this.#jobId ??= newId();
    return this.#jobId;
  }

  get mark(): RequestMark {
    this.#mark ??= newRequestMark();
    return this.#mark;
  }

  get hasSessionCookie(): boolean {
    return this.app.sessionCookies?.has(this.request) === true;
  }

  setSessionCookie(identity: Identity | null): void {
    const { sessionCookies } = this.app;
    if (sessionCookies === null) throw new Error('Cookies are not enabled.');
    const { request } = this;
    const cookie = identity === null ? sessionCookies.end(request) : sessionCookies.begin(identity, request);
    this.#response?.append('Set-Cookie', cookie);
  }

  header(name: string): string | undefined {
    return this.request.get(name);
  }

  identified(user: IdentifiedUser): void {
    this.#onIdentified(user);
  }

  startedJob(jobId: string): void {
    this.#onJob(jobId);
  }

  leavesBehind(leftover: string): void {
    this.#onLeftover(leftover);
  }
}
