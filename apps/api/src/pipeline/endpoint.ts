import type { Right } from '@gateway/context';
import type { WatchedResource } from '@gateway/core';
import { isObject, itemOf, type Shape } from '@gateway/core/shapes';
import type { JobType } from '@gateway/jobs';
import type { OptionalServices } from '@gateway/platform';
import type { CachedList } from '@gateway/resources';
import Joi, { type ObjectSchema } from 'joi';
import type { EndpointLimitName } from '../http/limits/rate-limits.ts';
import type { Attachment, Redirect, Reply } from '../http/response/results.ts';
import type { ErrorCode } from '../http/schemas/error-codes.ts';
import { fieldsOf } from '../http/schemas/schema-parts.ts';
import type { JobStream } from '../http/streams/event-streams.ts';
import type { ProjectStream } from '../http/streams/project-stream.ts';
import { type ListRows, listRows, type RowsDeclaration } from './list-rows.ts';
import type { RequestContext } from './request-context.ts';
import type { Writes } from './writes.ts';

/**
 * Who is granted access. `public`: everybody. `token`: everybody with a valid token, in the token's own
 * project unless the request names another. `project`: members of the project that the request names.
 * `admin`: administrators of that project.
 */
type Access = 'public' | 'token' | 'project' | 'admin';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Groups endpoints in the OpenAPI document. */
export interface Tag {
  name: string;
  description: string;
}

interface HeaderDescription {
  description: string;
  /** JSON Schema. */
  schema: Record<string, unknown>;
}

/** The validated input, without the parameters of the path. */
export interface EndpointInput<Query = unknown, Body = unknown> {
  query: Query;
  body: Body;
}

/**
 * The declaration of an endpoint. Its route, checks, cache, limits, metrics label and part of the OpenAPI
 * document all follow from it. See decision 1.
 */
export interface Endpoint<Params = unknown, Query = unknown, Body = unknown, Result = unknown> {
  method: Method;
  /** In Express's notation: `/api/instances/:instance_id`. */
  path: string;
  tag: Tag;
  summary: string;
  description?: string;
  access: Access;
  /**
   * Accepts a ticket in place of token and project, for clients that cannot set headers: one for the job
   * `job_id` if the path has it, else one for the path.
   */
  acceptsTicket?: boolean;
  /**
   * Changes or reveals data that the gateway itself stores and that no service protects: callers who have
   * only `identity.reader_roles`, and so not the right `change`, get a 403.
   */
  refusesReaders?: boolean;
  /** The optional service of the endpoint. While the service is switched off, the endpoint answers 404. */
  service?: keyof OptionalServices;
  params?: ObjectSchema<Params>;
  query?: ObjectSchema<Query>;
  body?: ObjectSchema<Body>;
  /** The body is a form that a browser sends, not JSON. */
  takesForm?: boolean;
  /** Additional request headers, by name, for the OpenAPI document. The handler validates them. */
  headers?: Record<string, HeaderDescription>;
  /** Status of a successful response; 200 by default. */
  status?: number;
  /** Says what HEAD is for, where clients use it. Every GET answers it, like any server, without a body. */
  head?: string;
  /** Shape of the JSON response, or of the events of a stream. Without it the response has no JSON. */
  response?: Shape<Result>;
  /** Media type of the response if it is not JSON. */
  produces?: string;
  /**
   * How rows of the response are selected, if it is a list; see `listRows`. A list of objects with an `id`
   * or a `name` needs no declaration.
   */
  rows?: RowsDeclaration;
  /** The cached list that the handler reads; see `servesList`. */
  cachedList?: CachedList<NoInfer<Result>>;
  /**
   * The resource whose list this is, if listeners learn of its rows (`packages/core/src/resources.ts`). It is
   * polled with an empty query.
   */
  watched?: WatchedResource;
  /**
   * The type of events that say that this list may have changed, if it is not `watched` itself: of jobs, or
   * of the resource that the list is part of, which the first parameter of the path names.
   */
  changesWith?: WatchedResource | 'job';
  /** Whether the handler answers a query itself, because it selects some rows of the cached list. */
  bypassesCache?: (query: NoInfer<Query>) => boolean;
  /**
   * What the handler itself writes in the project of the caller. Cached lists, listeners, audit and history
   * follow from it. Only a write that starts a job may leave it to the job (`packages/activity`).
   */
  writes?: Writes<NoInfer<Result>, EndpointInput<NoInfer<Query>, NoInfer<Body>>>;
  rateLimits?: readonly EndpointLimitName[];
  /** The response holds a secret, so it must not be cached anywhere. */
  secret?: boolean;
  /** The handler only enqueues one job of this type, as `request.jobId`, and waits for it or streams it. */
  startsJob?: JobType;
  /** The response cannot be replayed, for example because it holds a token. A repeated request runs again. */
  ignoresIdempotencyKey?: boolean;
  /**
   * The write is accepted while the gateway is read-only, as are those of sessions, those that no member
   * sees, and those of public endpoints. See decision 220.
   */
  worksWhileReadOnly?: boolean;
  /** Codes of errors for the OpenAPI document, besides those that follow from the rest of the declaration. */
  errors?: readonly ErrorCode[];
  /** Serves only requests with this preference (RFC 7240), whose response then says that it was honoured. */
  preference?: 'respond-async';
  /** Serves, in place of this endpoint, requests with the preference that it declares. */
  preferred?: AnyEndpoint;
  /** Further statuses of responses that have the shape of the successful one. */
  alternativeStatuses?: readonly number[];
  /**
   * Fields of the example of the response that differ from those of its shape. Called when the OpenAPI
   * document is generated.
   */
  example?: () => Record<string, unknown>;
  /** The example of a response without a shape, for the OpenAPI document. */
  exampleText?: string;
  handler: (
    request: RequestContext<Params, Query, Body>,
  ) => Promise<NoInfer<Result | Reply<Result>> | JobStream | ProjectStream>;
}

/** The result of a handler whose endpoint declares no shape: no body, a text, a file, or a redirect. */
// biome-ignore lint/suspicious/noConfusingVoidType: handlers without a result are async functions.
type ResultWithoutShape = void | string | Attachment | Redirect;

/** An endpoint with any types of input and response. */
// biome-ignore lint/suspicious/noExplicitAny: types differ per endpoint and are checked where it is declared.
export type AnyEndpoint = Endpoint<any, any, any, any> & {
  /** The parameters that select rows of the response; undefined if it is no list of objects. */
  listRows?: ListRows | undefined;
};

/**
 * Declares an endpoint. The types of its handler's input and result follow from the schemas. A list gets
 * parameters that select its rows; a parameter of the same name that it declares itself takes precedence.
 */
export function endpoint<Params = unknown, Query = unknown, Body = unknown, Result = ResultWithoutShape>(
  declaration: Endpoint<Params, Query, Body, Result>,
): AnyEndpoint {
  const { query = Joi.object(), response, rows = {} } = declaration;
  const row = response && itemOf(response);
  if (!isObject(row)) return declaration;
  const derived = listRows(row, rows, new Set(fieldsOf(query).keys()));
  return { ...declaration, query: query.keys(derived.parameters), listRows: derived };
}

/** The path as the OpenAPI document has it: `/api/instances/{instance_id}`. */
export function documentedPath(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}');
}

/** Callers without one of these rights get a 403. */
export function requiredRights({ access, refusesReaders = false }: AnyEndpoint): Right[] {
  return [
    ...(access === 'admin' ? ['administer' as const] : []),
    ...(refusesReaders ? ['change' as const] : []),
  ];
}

/** Whether the endpoint supports `Idempotency-Key`. */
export function takesIdempotencyKey({ method, ignoresIdempotencyKey = false }: AnyEndpoint): boolean {
  return method === 'POST' && !ignoresIdempotencyKey;
}

const EVENT_STREAM = 'text/event-stream';

/** Whether the endpoint streams events. */
export function isStream({ produces }: Pick<AnyEndpoint, 'produces'>): boolean {
  return produces === EVENT_STREAM;
}
