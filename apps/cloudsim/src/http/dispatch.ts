import { randomUUID } from 'node:crypto';
import express, { type Request, type Response, type Router } from 'express';
import type { Json } from '../common/json.ts';
import { badRequest, forbidden, notFound, ServiceError } from '../common/service-error.ts';
import type { CallLog } from './calls.ts';
import { proxyReply, unauthorizedReply, unjudgedReply } from './error-formats.ts';
import type { FaultSpec, Faults } from './faults.ts';
import type { Hold, Holds } from './holds.ts';
import { negotiate } from './microversion.ts';
import type { Caller, Operation, Reply } from './operation.ts';
import { denied } from './policy.ts';
import type { Service } from './service.ts';

const ANONYMOUS: Caller = { tokenId: '', userId: '', userName: '', projectId: '', roles: [], isAdmin: false };
const GLOBAL_REQUEST_ID = /^req-[0-9a-f-]{36}$/;

/** The part of the cloud that every request passes through, whatever its service. */
export interface DispatchCloud {
  readonly publicUrl: string;
  /** Added to every call, in milliseconds by service name. */
  readonly settings: { readonly latencyMs: ReadonlyMap<string, number> };
  readonly faults: Faults;
  readonly holds: Holds;
  readonly calls: CallLog;
  /** The caller that a token belongs to; undefined when the token is missing or not valid. */
  authenticate(tokenId: string | undefined): Caller | undefined;
  /** Whether the identity service responds with an error to services that validate this token. */
  isUnjudged(tokenId: string | undefined): boolean;
  /** Whether the caller's credential permits the request; `path` is without the query. */
  isPermitted(caller: Caller, request: { service: string; method: string; path: string }): boolean;
}

/** Mounts a service. Records and authenticates each call, and applies the holds and faults that tests set. */
export function serviceRouter<Cloud extends DispatchCloud>(service: Service<Cloud>, cloud: Cloud): Router {
  const router = express.Router({ mergeParams: true, caseSensitive: true });
  router.use(decodeSlashes);
  for (const operation of service.operations) {
    const route = router.route(operation.path);
    const handle = (req: Request, res: Response) => serve(service, operation, cloud, req, res);
    if (operation.method === 'GET') route.get(handle);
    else if (operation.method === 'POST') route.post(handle);
    else if (operation.method === 'PUT') route.put(handle);
    else if (operation.method === 'PATCH') route.patch(handle);
    else if (operation.method === 'DELETE') route.delete(handle);
    else route.head(handle);
  }
  router.use((req, res) => serve(service, undefined, cloud, req, res));
  return router;
}

/** A service sees the decoded path (WSGI), in which an encoded slash separates as any other. */
function decodeSlashes(req: Request, _res: Response, next: () => void): void {
  const [path = '', ...query] = req.url.split('?');
  req.url = [path.replaceAll(/%2f/gi, '/'), ...query].join('?');
  next();
}

function serve<Cloud extends DispatchCloud>(
  service: Service<Cloud>,
  operation: Operation<Cloud> | undefined,
  cloud: Cloud,
  req: Request,
  res: Response,
): void {
  const exchange = new Exchange(service, operation, cloud, req, res);
  const fault = cloud.faults.take(exchange.matched);
  const delayMs = (cloud.settings.latencyMs.get(service.name) ?? 0) + (fault?.delayMs ?? 0);
  const hold = cloud.holds.meet(exchange.matched);
  const proceed = hold === undefined ? () => exchange.proceed(fault) : exchange.proceedUnder(hold, fault);
  if (delayMs > 0) setTimeout(proceed, delayMs);
  else proceed();
}

/** One request and its response. */
class Exchange<Cloud extends DispatchCloud> {
  readonly matched;
  readonly #requestId = `req-${randomUUID()}`;
  readonly #record;
  readonly #parsed;
  readonly #service: Service<Cloud>;
  readonly #operation: Operation<Cloud> | undefined;
  readonly #cloud: Cloud;
  readonly #req: Request;
  readonly #res: Response;
  #authenticated: { caller: Caller | undefined } | undefined;
  #minor = 0;

  constructor(
    service: Service<Cloud>,
    operation: Operation<Cloud> | undefined,
    cloud: Cloud,
    req: Request,
    res: Response,
  ) {
    this.#service = service;
    this.#operation = operation;
    this.#cloud = cloud;
    this.#req = req;
    this.#res = res;
    this.#parsed = parse(req.body as unknown);
    const name = operation?.nameFor?.(this.#parsed.body) ?? operation?.name ?? null;
    const globalId = req.get('x-openstack-request-id');
    const requestId = globalId !== undefined && GLOBAL_REQUEST_ID.test(globalId) ? globalId : null;
    this.matched = {
      service: service.name,
      operation: name,
      method: req.method,
      url: req.originalUrl,
      requestId,
    };
    this.#record = cloud.calls.begin({
      time: new Date().toISOString(),
      service: service.name,
      operation: name,
      method: req.method,
      path: req.originalUrl,
      status: null,
      project: null,
      request_id: requestId,
      traceparent: req.get('traceparent') ?? null,
      performed: false,
      made: null,
    });
    res.once('close', () => cloud.calls.end(this.#record));
  }

  proceed(fault: FaultSpec | undefined): void {
    this.#deliver(this.#outcome(fault), fault);
  }

  /** Call this when the request arrives, so that it notices a disconnect of the client. */
  proceedUnder(hold: Hold, fault: FaultSpec | undefined): () => void {
    const disconnected = new Promise<void>((resolve) => this.#res.once('close', resolve));
    // The service has received a late call, and checks the token before it does what takes long.
    if (hold.isLate) this.#authenticate();
    return async () => {
      if (!(await hold.before(this.#record, disconnected))) return;
      const reply = this.#outcome(fault);
      if (!(await hold.performed(this.#record, disconnected))) return;
      this.#deliver(reply, fault);
      hold.answered(this.#record);
    };
  }

  /** Performs the call, unless a fault prevents it. Null when the fault allows no response. */
  #outcome(fault: FaultSpec | undefined): Reply | null {
    const misbehaves = fault?.drop || fault?.hang || fault?.status !== undefined;
    if (fault === undefined || !misbehaves) return this.#answer();
    if (fault.after) this.#answer();
    return fault.drop || fault.hang ? null : this.#faultReply(fault);
  }

  #deliver(reply: Reply | null, fault: FaultSpec | undefined): void {
    if (reply !== null) this.#send(reply);
    else if (fault?.hang) this.#hang();
    else this.#req.socket.destroy();
  }

  /** Performs the call. Thrown errors become responses in the service's error format. */
  #answer(): Reply {
    try {
      const reply = this.#perform();
      this.#record.performed = reply.status < 400;
      if (this.#req.method === 'POST' && this.#record.performed) this.#record.made = idIn(reply.body);
      return reply;
    } catch (thrown) {
      if (thrown instanceof ServiceError) return this.#service.errors(thrown, this.#requestId);
      console.error(thrown);
      const error = new ServiceError(500, 'Unexpected API Error.', 'HTTPInternalServerError');
      return this.#service.errors(error, this.#requestId);
    }
  }

  #authenticate(): Caller | undefined {
    this.#authenticated ??= { caller: this.#cloud.authenticate(this.#req.get('x-auth-token')) };
    return this.#authenticated.caller;
  }

  #perform(): Reply {
    const service = this.#service;
    const operation = this.#operation;
    const cloud = this.#cloud;
    const req = this.#req;
    const caller = this.#authenticate();
    this.#record.project = caller?.projectId || null;
    const [path = ''] = req.originalUrl.split('?');
    const isAllowed =
      caller === undefined
        ? operation?.isPublic === true
        : cloud.isPermitted(caller, { service: service.name, method: req.method, path });
    if (!isAllowed) {
      if (cloud.isUnjudged(req.get('x-auth-token'))) {
        if (service.name === 'identity')
          throw forbidden('You are not authorized to perform the requested action.');
        // The image service has another authentication middleware.
        if (service.name !== 'image') return unjudgedReply();
      }
      if (service.name === 'identity')
        throw new ServiceError(401, 'The request you have made requires authentication.');
      return unauthorizedReply(`${cloud.publicUrl}/identity`);
    }
    if (operation === undefined) {
      const unrouted = service.unrouted ?? service.errors;
      return unrouted(notFound('The resource could not be found.'), this.#requestId);
    }
    if (caller !== undefined && !mayCall(caller, service, operation)) throw denied(operation.name);
    const header = (name: string) => req.get(name);
    if (service.microversions !== undefined) this.#minor = negotiate(service.microversions, header);
    if (this.#parsed.malformed && !operation.hasRawBody)
      throw badRequest(service.malformed, service.malformedType);
    const pathAndQuery = req.url;
    const queryAt = pathAndQuery.indexOf('?');
    return operation.run({
      cloud,
      caller: caller ?? ANONYMOUS,
      params: req.params as Record<string, string>,
      query: new URLSearchParams(queryAt < 0 ? '' : pathAndQuery.slice(queryAt + 1)),
      body: this.#parsed.body,
      rawBody: typeof req.body === 'string' ? req.body : '',
      minor: this.#minor,
      base: `${cloud.publicUrl}${req.baseUrl}`,
      url: pathAndQuery,
      header,
    });
  }

  #faultReply(fault: FaultSpec): Reply {
    const status = fault.status ?? 500;
    if (fault.proxy) return proxyReply(status);
    const usual = this.#service.errors(
      new ServiceError(status, 'The simulated service fails as configured.', 'Fault'),
      this.#requestId,
    );
    return {
      status,
      body: fault.body === undefined ? usual.body : fault.body,
      headers: { ...usual.headers, ...fault.headers },
    };
  }

  #hang(): void {
    const release = () => this.#req.socket.destroy();
    this.#cloud.faults.hang(release);
    this.#res.once('close', () => this.#cloud.faults.removeHanging(release));
  }

  #send(reply: Reply): void {
    const res = this.#res;
    const service = this.#service;
    if (res.destroyed) return;
    this.#record.status = reply.status;
    const headers: Record<string, string | number> = { ...service.headers?.(this.#minor), ...reply.headers };
    for (const name of service.requestIdHeaders) headers[name] = this.#requestId;
    const body = reply.body;
    if (body === undefined) {
      if (reply.status !== 204) headers['Content-Length'] = 0;
      res.writeHead(reply.status, headers).end();
      return;
    }
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    headers['Content-Type'] ??= 'application/json';
    headers['Content-Length'] = Buffer.byteLength(text);
    res.writeHead(reply.status, headers).end(this.#req.method === 'HEAD' ? undefined : text);
  }
}

/** As in current releases, a role that is neither a member's nor an administrator's only reads. */
function mayCall(
  { isAdmin, roles }: Caller,
  { hasOwnRules }: Pick<Service, 'hasOwnRules'>,
  { isOwn, isPublic, method }: Pick<Operation, 'isOwn' | 'isPublic' | 'method'>,
): boolean {
  if (hasOwnRules || isOwn || isPublic || method === 'GET' || method === 'HEAD') return true;
  return isAdmin || roles.includes('member');
}

/** The id of the record in an envelope, as `{"volume": {"id": ...}}`. */
function idIn(body: unknown): string | null {
  const [record] = typeof body === 'object' && body !== null ? Object.values(body) : [];
  const id = (record as { id?: unknown } | null | undefined)?.id;
  return typeof id === 'string' ? id : null;
}

function parse(raw: unknown): { body: Json | undefined; malformed: boolean } {
  if (typeof raw !== 'string' || raw === '') return { body: undefined, malformed: false };
  try {
    return { body: JSON.parse(raw) as Json, malformed: false };
  } catch {
    return { body: undefined, malformed: true };
  }
}
