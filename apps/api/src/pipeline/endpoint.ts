import type { OptionalServices } from '@gateway/config';
import type { CachedList, ResourceName } from '@gateway/views';
import type { ArraySchema, ObjectSchema, Schema } from 'joi';
import type { EndpointLimitName } from '../http/limits/rate-limits.ts';
import type { RequestContext } from './request-context.ts';

/**
 * Who may call: `public` anybody, `token` anybody with a valid token (the project is the token's own unless
 * the request names one), `project` a member of the project the request names, `admin` an administrator.
 */
export type Access = 'public' | 'token' | 'project' | 'admin';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Groups endpoints in the OpenAPI document. */
export interface Tag {
  name: string;
  description: string;
}

export interface HeaderDescription {
  description: string;
  /** JSON Schema. */
  schema: Record<string, unknown>;
}

/**
 * An endpoint, declared once. The mounted route, its checks, its cache, its limit, its metrics label and its
 * part of the OpenAPI document all come from here.
 */
export interface Endpoint<Params = unknown, Query = unknown, Body = unknown> {
  method: Method;
  /** In Express's notation; parameters carry the names of the interface: `/api/instances/:instance_id`. */
  path: string;
  tag: Tag;
  summary: string;
  description?: string;
  access: Access;
  /** In place of token and project it takes a ticket for the job `job_id`, for clients that can set no headers. */
  acceptsTicket?: boolean;
  /** The optional service it belongs to: 404 where that is switched off. */
  service?: keyof OptionalServices;
  params?: ObjectSchema<Params>;
  query?: ObjectSchema<Query>;
  body?: ObjectSchema<Body>;
  /** Header fields of its own, by name, for the document; its handler reads and checks them. */
  headers?: Record<string, HeaderDescription>;
  /** Of the answer when all went well; 200 unless given. */
  status?: number;
  /** Shape of the JSON answer; an endpoint without one answers no body. */
  response?: ObjectSchema | ArraySchema | Schema;
  /** What it answers, where that is not JSON. */
  produces?: string;
  /** The cached list that the handler reads; see `servesList`. */
  cachedList?: CachedList<unknown>;
  /**
   * What the handler itself changes in the project of the caller. Cached lists that depend on these resources are dropped
   * before the response. An endpoint that only starts a job leaves this to the job.
   */
  changes?: readonly ResourceName[];
  rateLimits?: EndpointLimitName[];
  /** The answer holds a secret: nobody may store it. */
  secret?: boolean;
  /** All it does is to queue one job, with the id that its request names, and to wait for it or stream it. */
  startsJob?: boolean;
  /** It hands out something that is of no use a second time, such as a token: a repeat acts anew. */
  ignoresIdempotencyKey?: boolean;
  /** Statuses beyond those that every endpoint of its kind can answer, for the document. */
  errors?: number[];
  handler: (request: RequestContext<Params, Query, Body>) => Promise<unknown>;
}

/** An endpoint among others: what the mounting code needs to know of it. */
// biome-ignore lint/suspicious/noExplicitAny: parameters differ per endpoint and are checked where it is declared.
export type AnyEndpoint = Endpoint<any, any, any>;

/** Declares an endpoint; its handler's types follow from the schemas. */
export function endpoint<Params = unknown, Query = unknown, Body = unknown>(
  declaration: Endpoint<Params, Query, Body>,
): AnyEndpoint {
  return declaration;
}

/** Whether a repeat with the same `Idempotency-Key` takes effect once. */
export function takesIdempotencyKey({ method, ignoresIdempotencyKey = false }: AnyEndpoint): boolean {
  return method === 'POST' && !ignoresIdempotencyKey;
}

const EVENT_STREAM = 'text/event-stream';

/** Whether it answers the events of a job. */
export function isStream({ produces }: AnyEndpoint): boolean {
  return produces === EVENT_STREAM;
}
