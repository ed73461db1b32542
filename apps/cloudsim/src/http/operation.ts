import type { Json, JsonObject } from '../common/json.ts';

/** The authenticated caller. */
export interface Caller {
  tokenId: string;
  userId: string;
  userName: string;
  /** Empty for an unscoped token. */
  projectId: string;
  roles: string[];
  isAdmin: boolean;
}

/** A request to a service. `Cloud` is the part of the simulated cloud that the service uses. */
export interface Call<Cloud = unknown> {
  cloud: Cloud;
  caller: Caller;
  params: Record<string, string>;
  query: URLSearchParams;
  body: Json | undefined;
  /** The body before parsing. */
  rawBody: string;
  /** Minor part of the negotiated microversion. */
  minor: number;
  /** The service's URL without a trailing slash: the start of links. */
  base: string;
  /** Path and query below the service's URL, unparsed. */
  url: string;
  header(name: string): string | undefined;
}

export interface Reply {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** An operation of a service. Call records and faults refer to its name. */
export interface Operation<Cloud = unknown> {
  name: string;
  method: Method;
  path: string;
  /** Derives the name from the body, for actions. */
  nameFor?: (body: Json | undefined) => string;
  /** Requires no token. */
  isPublic?: boolean;
  /** The body is not parsed. */
  hasRawBody?: boolean;
  /** A write that needs no role but that of a reader, because it changes what is the caller's own. */
  isOwn?: boolean;
  run(call: Call<Cloud>): Reply;
}

interface OperationOptions {
  isPublic?: boolean;
  hasRawBody?: boolean;
  isOwn?: boolean;
  nameFor?: (body: Json | undefined) => string;
}

/** Declares an operation: `operation('servers.get', 'GET /servers/:id', getServer)`. */
export function operation<Cloud>(
  name: string,
  route: string,
  run: (call: Call<Cloud>) => Reply,
  options: OperationOptions = {},
): Operation<Cloud> {
  const space = route.indexOf(' ');
  return { name, method: route.slice(0, space) as Method, path: route.slice(space + 1), run, ...options };
}

/** Names an action by the first key of the body: `servers` and `{"os-stop": null}` give `servers.os-stop`. */
export function namedByAction(resource: string): (body: Json | undefined) => string {
  return (body) => `${resource}.${actionIn(body)[0] || 'action'}`;
}

export function actionIn(body: Json | undefined): [string, Json] {
  const entry = typeof body === 'object' && body !== null ? Object.entries(body as JsonObject)[0] : undefined;
  return entry ?? ['', null];
}

export function ok(body: unknown, headers?: Record<string, string>): Reply {
  return { status: 200, body, headers };
}

export function created(body: unknown): Reply {
  return { status: 201, body };
}

export function accepted(body?: unknown, headers?: Record<string, string>): Reply {
  return { status: 202, body, headers };
}

export function noContent(): Reply {
  return { status: 204 };
}
