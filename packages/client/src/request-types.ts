import type { Operations, Streams } from './generated/operations.ts';
import type { JobMessage } from './job-events.ts';

/**
 * An endpoint of the gateway, such as `GET /api/instances/{instance_id}`. Event streams
 * have methods of their own.
 */
export type Endpoint = keyof Operations;

export interface RequestOptions {
  /** A POST with the same key and body can be sent again when its response is lost. It takes effect once. */
  idempotencyKey?: string | undefined;
  /** Additional request headers. */
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
}

/** The input of a request whose endpoint is known only at run time. */
export interface AnyRequest extends RequestOptions {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}

/** `path`, `query` and `body`, if the endpoint has them. */
export type RequestInput<Name extends Endpoint> = Omit<Operations[Name][0], 'url' | 'headers' | 'query'> &
  Query<Pick<Operations[Name][0], 'query'>> &
  RequestOptions;

/** An endpoint that starts a job and streams its events, such as `POST /api/volumes/async`. */
export type StreamEndpoint = keyof Streams;

/** `path` and `body`, if the endpoint has them. */
export type StreamInput<Name extends StreamEndpoint> = Pick<
  Streams[Name][0],
  keyof Streams[Name][0] & ('path' | 'body')
>;

/** The messages of the job. */
export type StreamMessage<Name extends StreamEndpoint> = Extract<
  Streams[Name][1][keyof Streams[Name][1]],
  JobMessage
>;

/** Optional fields of a query may be undefined and are then omitted. */
type Query<Part extends { query?: unknown }> = {
  [Key in keyof Part]: Fields<NonNullable<Part[Key]>>;
};

type Fields<Sent> = {
  [Name in keyof Sent]: Record<never, never> extends Pick<Sent, Name> ? Sent[Name] | undefined : Sent[Name];
};

/** The input may be omitted if the endpoint requires nothing. */
export type RequestArguments<Name extends Endpoint> =
  Record<never, never> extends RequestInput<Name>
    ? [input?: RequestInput<Name>]
    : [input: RequestInput<Name>];

/** The body of a successful response: JSON, text, a `Blob`, or undefined for none. */
export type ResponseBody<Name extends Endpoint> = Operations[Name][1][keyof Operations[Name][1]];
