import type { ServiceName } from '@gateway/config';
import { GatewayError } from '@gateway/core';
import type { CallContext } from './call-context.ts';
import { UpstreamError } from './errors.ts';
import type { Identity } from './identity/identity.ts';
import { type IdentitySource, isSource } from './identity/identity-source.ts';
import { collectPages, type ListPage, readPage } from './pagination.ts';
import { type Query, queryString } from './query.ts';
import { serviceTitles } from './service-titles.ts';
import { heldToProject } from './stand-in.ts';
import type { Transport, UpstreamAnswer } from './transport.ts';
import type { Method, UpstreamRequest } from './upstream-request.ts';

export interface RequestOptions {
  query?: Query;
  body?: unknown;
  /** Instead of the service's pinned one. */
  microversion?: string;
  /** A write that may be repeated after a passing fault, for a second one changes nothing more. */
  idempotent?: boolean;
  /** A refusal for the state of the resource is a conflict, whatever the service calls it. */
  deletes?: boolean;
}

interface Microversion {
  header: string;
  prefix: string;
  version: string;
}

/**
 * Pinned once per service, as low as serves, so that older clouds work too:
 * - compute 2.79: `delete_on_termination` of attachments; flavors carry `extra_specs` since 2.61, a server's flavor is
 *   embedded, without its id, since 2.47, and named consoles came with 2.6.
 * - block storage 3.59: `metadata` of backups (3.43), volumes from backups (3.47), `/volume-transfers` (3.55).
 * - shared file system 2.45: access rules as a resource of their own, `count` of a list (2.42), `created_at` of a rule
 *   (2.33), `access_key` (2.21).
 */
const microversions: Partial<Record<ServiceName, Microversion>> = {
  compute: { header: 'openstack-api-version', prefix: 'compute ', version: '2.79' },
  blockStorage: { header: 'openstack-api-version', prefix: 'volume ', version: '3.59' },
  sharedFileSystem: { header: 'x-openstack-manila-api-version', prefix: '', version: '2.45' },
  placement: { header: 'openstack-api-version', prefix: 'placement ', version: '1.17' },
};

export interface ServiceBinding {
  service: ServiceName;
  identity: Identity | IdentitySource;
  call: CallContext;
}

/** A token, what stands in for it, and a renewed one of each: who is refused more often is not to be let in. */
const MOST_REPLACEMENTS = 4;

/** One service as one caller reaches it: where it is, which version is spoken, and the verbs of its interface. */
export class ServiceClient {
  readonly service: ServiceName;
  readonly #transport: Transport;
  readonly #identity: Identity | IdentitySource;
  readonly #headers: Record<string, string>;
  readonly #call: CallContext;

  /** Throws a 503 when the cloud has no such service. */
  constructor(transport: Transport, { service, identity, call }: ServiceBinding) {
    this.service = service;
    this.#transport = transport;
    this.#identity = identity;
    this.#call = call;
    this.#headers = { 'x-openstack-request-id': call.requestId };
    const pinned = microversions[service];
    if (pinned !== undefined) this.#headers[pinned.header] = pinned.prefix + pinned.version;
    if (!isSource(identity)) this.#urlFor(identity, '');
  }

  get<T>(operation: string, path: string, query?: Query): Promise<T> {
    return this.json<T>('GET', operation, path, { query });
  }

  /** All items of a list, over all its pages. `key` is the name of the list in its envelope. */
  list<T>(operation: string, path: string, key: string, query?: Query): Promise<T[]> {
    return collectPages<T>((search) => this.json('GET', operation, path + search), key, queryString(query), {
      service: this.service,
      operation,
    });
  }

  /** One page, as `limit` and `marker` of the query have it. */
  async page<T>(operation: string, path: string, key: string, query: Query): Promise<ListPage<T>> {
    const body = await this.get<Record<string, unknown>>(operation, path, query);
    return readPage(body, key, { service: this.service, operation });
  }

  post<T>(operation: string, path: string, body: unknown): Promise<T> {
    return this.json<T>('POST', operation, path, { body });
  }

  put<T>(operation: string, path: string, body: unknown): Promise<T> {
    return this.json<T>('PUT', operation, path, { body });
  }

  patch<T>(operation: string, path: string, body: unknown): Promise<T> {
    return this.json<T>('PATCH', operation, path, { body });
  }

  /** A POST whose answer has nothing to tell. */
  act(operation: string, path: string, body: unknown): Promise<void> {
    return this.quiet('POST', operation, path, { body });
  }

  /** Repeated after a passing fault: the second finds it gone or going. */
  remove(operation: string, path: string, query?: Query): Promise<void> {
    return this.quiet('DELETE', operation, path, { query, idempotent: true, deletes: true });
  }

  /** The body of the answer, which must be JSON. */
  async json<T>(method: Method, operation: string, path: string, options: RequestOptions = {}): Promise<T> {
    const answer = await this.#send(method, operation, path, options, true);
    return answer.body as T;
  }

  /** A call whose answer is not looked at beyond its status. */
  async quiet(method: Method, operation: string, path: string, options: RequestOptions = {}): Promise<void> {
    await this.#send(method, operation, path, options, false);
  }

  async #send(
    method: Method,
    operation: string,
    path: string,
    options: RequestOptions,
    expectJson: boolean,
  ): Promise<UpstreamAnswer> {
    const target = path + queryString(options.query);
    const request = (identity: Identity): UpstreamRequest => ({
      service: this.service,
      operation,
      method,
      url: this.#urlFor(identity, target),
      headers: this.#headersFor(identity, options.microversion),
      body: options.body,
      idempotent: options.idempotent === true,
      deletes: options.deletes === true,
      expectJson,
    });
    const source = this.#identity;
    if (!isSource(source)) return this.#transport.send(request(source), this.#call);
    let identity = await source.current();
    for (let replacements = 0; ; replacements += 1) {
      try {
        return await this.#transport.send(request(identity), this.#call);
      } catch (error) {
        // A call that was refused for its token has not acted, so a write may be repeated too.
        if (!isRefusedToken(error) || replacements === MOST_REPLACEMENTS) throw error;
        identity = await source.replace(identity, error);
      }
    }
  }

  #urlFor({ endpoints, standsInFor }: Identity, target: string): string {
    const baseUrl = endpoints[this.service];
    if (baseUrl === undefined) {
      throw new GatewayError(
        503,
        'upstream_unavailable',
        `The ${serviceTitles[this.service]} service is not available in this cloud.`,
      );
    }
    return baseUrl + (standsInFor === undefined ? target : heldToProject(this.service, target, standsInFor));
  }

  #headersFor({ token }: Identity, version: string | undefined): Record<string, string> {
    const headers = { ...this.#headers, 'x-auth-token': token };
    const pinned = microversions[this.service];
    if (version === undefined || pinned === undefined) return headers;
    return { ...headers, [pinned.header]: pinned.prefix + version };
  }
}

function isRefusedToken(thrown: unknown): thrown is UpstreamError {
  return thrown instanceof UpstreamError && thrown.upstreamStatus === 401;
}
