import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import { conflict, forbidden, GatewayError } from '@gateway/core';
import type { Identity } from '@gateway/openstack';
import type { Config } from '@gateway/platform';
import { parseCookie, stringifySetCookie } from 'cookie';
import { type HostCookie, hostCookie } from '../../auth/host-cookie.ts';
import type { SealedTickets } from '../../auth/sealed-tickets.ts';
import { pathPrefix } from './path-prefix.ts';
import { isRead, isSameOrigin, originOf } from './same-origin.ts';

/** A request that Express has received, which knows whether its client uses TLS. */
type Received = IncomingMessage & { secure: boolean };

/** A page of another origin cannot set it: browsers ask first, and the gateway does not allow it. */
const CSRF_HEADER = 'x-gateway-csrf';
/** Browsers drop longer cookies. */
const MAX_LENGTH = 3800;

/**
 * Sessions of browsers whose pages never see the token: it is in a cookie, sealed, with its project. A script
 * that is injected into the page cannot read it, and nobody can use it at the cloud. See decision 120.
 */
export class SessionCookies {
  readonly #tickets: SealedTickets;
  readonly #config: Pick<Config, 'publicEndpoint'>;
  readonly #publicOrigin: string | null;
  readonly #authenticated = new WeakSet<IncomingMessage>();
  readonly #refused = new WeakSet<IncomingMessage>();

  constructor(tickets: SealedTickets, config: Pick<Config, 'publicEndpoint'>) {
    this.#tickets = tickets;
    this.#config = config;
    this.#publicOrigin = originOf(config.publicEndpoint.url);
  }

  /**
   * Authenticates a request without a token header by its cookie, as if it had the headers of other clients.
   * A cookie that another page may have sent does not count; see `requireOwnPage`.
   */
  authenticate(request: IncomingMessage): void {
    const { headers } = request;
    if (headers.cookie === undefined || headers['x-auth-token'] !== undefined) return;
    const credentials = this.#read(request, headers.cookie);
    if (credentials === null) return;
    if (!this.#isOfOwnPage(request)) {
      this.#refused.add(request);
      return;
    }
    this.#authenticated.add(request);
    headers['x-auth-token'] = credentials.token;
    headers['x-project-id'] ??= credentials.projectId;
  }

  /** @throws `csrf_refused` for a request whose cookie does not count */
  requireOwnPage(request: IncomingMessage): void {
    if (!this.#refused.has(request)) return;
    const detail =
      'Requests with a session cookie come from a page of the same origin, and changes need the header X-Gateway-CSRF.';
    throw new GatewayError(403, 'csrf_refused', detail);
  }

  /**
   * For a log-in, which has no cookie yet: a page of another origin must not begin a session here, in which a
   * person would work for a stranger. @throws 403
   */
  requireNoOtherPage(request: IncomingMessage): void {
    if (isSameOrigin(request, this.#publicOrigin) !== false) return;
    throw forbidden('A session in a cookie begins at a page of the same origin.');
  }

  /** Whether `authenticate` has found the credentials of the request. */
  has(request: IncomingMessage): boolean {
    return this.#authenticated.has(request);
  }

  /** The `Set-Cookie` header that begins a session in the browser, or switches its project. */
  begin({ token, projectId }: Pick<Identity, 'token' | 'projectId'>, request: Received): string {
    const value = this.#tickets.seal('session-cookie', { token, projectId });
    if (value.length > MAX_LENGTH) {
      throw conflict('unsuitable', 'The token is too long for a cookie. Please log in without one.');
    }
    return this.#header(value, request);
  }

  /** The `Set-Cookie` header that removes the cookie. */
  end(request: Received): string {
    return this.#header('', request, 0);
  }

  /**
   * Changes need the header, which only scripts of the own origin can set, and must not come from another
   * page. Reads by other pages could be timed or embedded.
   */
  #isOfOwnPage(request: IncomingMessage): boolean {
    const isOwn = isSameOrigin(request, this.#publicOrigin);
    const { [CSRF_HEADER]: csrf = '', 'sec-fetch-site': site } = request.headers;
    // `none`: the user has typed the address.
    return isRead(request.method) ? isOwn !== false || site === 'none' : isOwn === true && csrf !== '';
  }

  /** Null for a cookie that no process of this gateway has sealed. */
  #read(request: IncomingMessage, header: string): Pick<Identity, 'token' | 'projectId'> | null {
    const cookies = parseCookie(header);
    // Behind a proxy, and without a configured URL, nothing shows whether the browser uses TLS.
    const isTls = request.socket instanceof TLSSocket;
    const other = isTls ? undefined : cookies[this.#cookie(request, false).name];
    const sealed = cookies[this.#cookie(request, true).name] ?? other;
    return sealed === undefined ? null : this.#tickets.open('session-cookie', sealed);
  }

  /** Without an expiry, the browser drops the cookie when it is closed. */
  #header(value: string, request: Received, maxAge?: number): string {
    return stringifySetCookie({
      ...this.#cookie(request, request.secure),
      value,
      sameSite: 'strict',
      ...(maxAge !== undefined && { maxAge }),
    });
  }

  #cookie(request: IncomingMessage, isTls: boolean): HostCookie {
    const { url: publicUrl } = this.#config.publicEndpoint;
    return hostCookie('gateway_session', '/api', {
      publicUrl,
      pathPrefix: pathPrefix(this.#config, request),
      isTls,
    });
  }
}
