import { newId } from '@gateway/core';
import type { BoundClient } from '@gateway/openstack';
import type { Logger } from '@gateway/telemetry';
import type { Request } from 'express';
import type { Caller } from '../auth/caller.ts';
import type { AppContext } from '../context.ts';

/** What a handler works with: checked input, the caller, and the cloud as the caller sees it. */
export interface RequestContext<Params = unknown, Query = unknown, Body = unknown> {
  readonly app: AppContext;
  readonly requestId: string;
  readonly logger: Logger;
  /** The peer's address, or the forwarded one behind a trusted proxy. */
  readonly address: string;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** Who calls; asking for it on a public endpoint is a fault of the endpoint. */
  readonly caller: Caller;
  /** The token as the caller sent it (its project may be another one than that of `caller`). */
  readonly callerToken: string;
  readonly openstack: BoundClient;
  /** For the job that the request starts: the same when the request is repeated with its `Idempotency-Key`. */
  readonly jobId: string;
  /** It came before with this key, so that its job may be there already. */
  readonly isRepeat: boolean;
  header(name: string): string | undefined;
}

export interface RequestParts {
  app: AppContext;
  request: Request;
  requestId: string;
  caller: Caller | null;
  params: unknown;
  query: unknown;
  body: unknown;
  /** A new id unless given. */
  jobId?: string;
  isRepeat?: boolean;
}

export function createRequestContext(parts: RequestParts): RequestContext {
  return new HandledRequest(parts);
}

/** Built for each request that is not answered from the cache; what costs something is made when asked for. */
class HandledRequest implements RequestContext {
  readonly app: AppContext;
  readonly requestId: string;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly isRepeat: boolean;
  readonly #request: Request;
  readonly #caller: Caller | null;
  #openstack: BoundClient | null = null;
  #jobId: string | null;

  constructor(parts: RequestParts) {
    this.app = parts.app;
    this.requestId = parts.requestId;
    this.params = parts.params;
    this.query = parts.query;
    this.body = parts.body;
    this.#request = parts.request;
    this.#caller = parts.caller;
    this.#jobId = parts.jobId ?? null;
    this.isRepeat = parts.isRepeat ?? false;
  }

  get logger(): Logger {
    return this.app.logger.child({ request_id: this.requestId });
  }

  get address(): string {
    return this.#request.ip ?? '';
  }

  get caller(): Caller {
    if (this.#caller === null) throw new Error('A public endpoint has no caller.');
    return this.#caller;
  }

  get callerToken(): string {
    return this.#request.get('x-auth-token') ?? '';
  }

  get openstack(): BoundClient {
    const bound =
      this.#openstack ?? this.app.openstack.as(this.caller.identity, { requestId: this.requestId });
    this.#openstack = bound;
    return bound;
  }

  get jobId(): string {
    this.#jobId ??= newId();
    return this.#jobId;
  }

  header(name: string): string | undefined {
    return this.#request.get(name);
  }
}
