import type { ItemShape } from '@gateway/core';
import type { ServiceName } from '@gateway/platform';
import { type AdminConfig, isOnlyNamedAdministrator } from './administrators.ts';
import { shapeOfAsked } from './asked-rows.ts';
import type { CallContext, Method, UpstreamRequest } from './call.ts';
import type { Identity } from './credentials/identity.ts';
import { type IdentitySource, isIdentitySource } from './credentials/identity-source.ts';
import { MissingServiceError, UpstreamError } from './errors/index.ts';
import { MICROVERSIONS } from './microversions.ts';
import { type OnlyProject, reachesOtherProjects, requireInProject, resourcePath } from './only-project.ts';
import { scopeToProject } from './scope-to-project.ts';
import type { Transport, UpstreamResponse } from './transport.ts';
import { type Query, queryString } from './url.ts';

export interface RequestOptions {
  query?: Query;
  body?: unknown;
  /** Overrides the service's pinned microversion. */
  microversion?: string;
  /** Of the body, which is JSON in any case; `application/json` by default. */
  contentType?: string;
  /** The write may be retried after a transient error, because a repetition has no effect. */
  idempotent?: boolean;
  /**
   * If the resource's state does not allow the request, the error is a 409, whatever the service's status.
   */
  isDelete?: boolean;
  /**
   * The write fails with 412 if the record has another revision. Network service only;
   * null or undefined for any revision.
   */
  ifRevision?: number | null;
  /** Maps each item of a list in the response. */
  shape?: ItemShape;
  /** The body of the response is a text, as JSON, and may be empty. */
  isText?: boolean;
}

export interface ServiceBinding {
  service: ServiceName;
  identity: Identity | IdentitySource;
  call: CallContext;
  onlyProject?: OnlyProject;
  adminConfig: AdminConfig;
}

/** The user's token, a delegated or service token, and a renewal of each. */
const MAX_REPLACEMENTS = 4;

/** Sends requests to one service for one identity: adds the base URL, the token and the microversion. */
export class ServiceRequests {
  readonly service: ServiceName;
  readonly #transport: Transport;
  readonly #identity: Identity | IdentitySource;
  readonly #headers: Record<string, string>;
  readonly #call: CallContext;
  readonly #onlyProject?: OnlyProject;
  readonly #adminConfig: AdminConfig;

  constructor(transport: Transport, { adminConfig, service, identity, call, onlyProject }: ServiceBinding) {
    this.service = service;
    this.#transport = transport;
    this.#identity = identity;
    this.#call = call;
    this.#onlyProject = onlyProject;
    this.#adminConfig = adminConfig;
    this.#headers = { 'x-openstack-request-id': call.requestId };
    const pinned = MICROVERSIONS[service];
    if (pinned !== undefined) this.#headers[pinned.header] = pinned.prefix + pinned.version;
  }

  get<T>(operation: string, path: string, query?: Query): Promise<T> {
    return this.requestJson<T>('GET', operation, path, { query });
  }

  post<T>(operation: string, path: string, body: unknown): Promise<T> {
    return this.requestJson<T>('POST', operation, path, { body });
  }

  put<T>(operation: string, path: string, body: unknown): Promise<T> {
    return this.requestJson<T>('PUT', operation, path, { body });
  }

  patch<T>(operation: string, path: string, body: unknown): Promise<T> {
    return this.requestJson<T>('PATCH', operation, path, { body });
  }

  /** A POST whose response body is not used. */
  postVoid(operation: string, path: string, body: unknown): Promise<void> {
    return this.requestVoid('POST', operation, path, { body });
  }

  /** Retried after a transient error: a repeated deletion does no harm. */
  remove(
    operation: string,
    path: string,
    options: Pick<RequestOptions, 'query' | 'ifRevision'> = {},
  ): Promise<void> {
    return this.requestVoid('DELETE', operation, path, { ...options, idempotent: true, isDelete: true });
  }

  /** Returns the body of the response, which must be JSON. */
  async requestJson<T>(
    method: Method,
    operation: string,
    path: string,
    options: RequestOptions = {},
  ): Promise<T> {
    const response = await this.#send(method, operation, path, options, true);
    return response.body as T;
  }

  /** A request whose response body is not used. */
  async requestVoid(
    method: Method,
    operation: string,
    path: string,
    options: RequestOptions = {},
  ): Promise<void> {
    await this.#send(method, operation, path, options, false);
  }

  /** A client that is limited to a project does not find resources of other projects. */
  async #send(
    method: Method,
    operation: string,
    path: string,
    options: RequestOptions,
    expectJson: boolean,
  ): Promise<UpstreamResponse> {
    const only = this.#onlyProject;
    const resource = only === undefined ? null : resourcePath(only, path);
    if (only === undefined || resource === null) {
      return this.#sendAnywhere(method, operation, path, options, expectJson);
    }
    if (method !== 'GET' && reachesOtherProjects(await this.#currentIdentity(), only)) {
      const { body } = await this.#sendAnywhere('GET', `${operation}.check`, resource, {}, true);
      requireInProject(body, only);
    }
    const response = await this.#sendAnywhere(method, operation, path, options, expectJson);
    if (method === 'GET' && path === resource) requireInProject(response.body, only);
    return response;
  }

  /** The project to which the gateway limits an identity that the services do not limit; null for others. */
  async limitedTo(): Promise<string | null> {
    const identity = await this.#currentIdentity();
    return isOnlyNamedAdministrator(identity, this.#adminConfig) ? identity.projectId : null;
  }

  /**
   * Whether what was read by its id is one of the project. Policies hide the project from members, who see
   * nothing of other projects; an administrator sees all projects, so that what names none is of none.
   */
  async isOfProject(owner: string | null, projectId: string): Promise<boolean> {
    if (owner !== null) return owner === projectId;
    return !reachesOtherProjects(await this.#currentIdentity(), this.#adminConfig);
  }

  async #currentIdentity(): Promise<Identity> {
    const source = this.#identity;
    return isIdentitySource(source) ? source.current() : source;
  }

  async #sendAnywhere(
    method: Method,
    operation: string,
    path: string,
    options: RequestOptions,
    expectJson: boolean,
  ): Promise<UpstreamResponse> {
    const target = path + queryString(options.query);
    const request = (identity: Identity): UpstreamRequest => {
      const url = this.#urlFor(identity, target);
      return {
        service: this.service,
        operation,
        method,
        url,
        headers: this.#headersFor(identity, options),
        body: options.body,
        idempotent: options.idempotent === true,
        isDelete: options.isDelete === true,
        expectJson,
        isText: options.isText === true,
        shape: options.shape && shapeOfAsked(options.shape, url, this.#onlyProject),
      };
    };
    const source = this.#identity;
    if (!isIdentitySource(source)) return this.#transport.send(request(source), this.#call);
    let identity = await source.current();
    for (let replacements = 0; ; replacements += 1) {
      try {
        return await this.#transport.send(request(identity), this.#call);
      } catch (error) {
        if (!(error instanceof UpstreamError)) throw error;
        // A request with a rejected token had no effect, so even a write may be repeated.
        if (!(await isTokenRejected(error, source, identity)) || replacements === MAX_REPLACEMENTS)
          throw error;
        identity = await source.replace(identity, error);
      }
    }
  }

  #urlFor({ endpoints, actingForProjectId }: Identity, target: string): string {
    const baseUrl = endpoints[this.service];
    if (baseUrl === undefined) throw new MissingServiceError(this.service);
    if (actingForProjectId === undefined) return baseUrl + target;
    return baseUrl + scopeToProject(this.service, target, actingForProjectId);
  }

  #headersFor(
    { token }: Identity,
    { contentType, ifRevision, microversion: version }: RequestOptions,
  ): Record<string, string> {
    const headers: Record<string, string> = { ...this.#headers, 'x-auth-token': token };
    if (contentType !== undefined) headers['content-type'] = contentType;
    if (ifRevision !== undefined && ifRevision !== null)
      headers['if-match'] = `revision_number=${ifRevision}`;
    const pinned = MICROVERSIONS[this.service];
    if (version === undefined || pinned === undefined) return headers;
    return { ...headers, [pinned.header]: pinned.prefix + version };
  }
}

async function isTokenRejected(
  thrown: UpstreamError,
  source: IdentitySource,
  identity: Identity,
): Promise<boolean> {
  if (thrown.upstreamStatus === 401) return true;
  return thrown.upstreamStatus === 503 && (await source.isUseless?.(identity)) === true;
}
