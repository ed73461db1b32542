/**
 * Selects calls for a fault or a hold. All fields that are set must match. An empty
 * matcher matches all calls.
 */
export interface Matcher {
  service?: string | undefined;
  operation?: string | undefined;
  method?: string;
  /** A regular expression over path and query, from the server's root. */
  path?: string;
  /** The global request id in the call's header. */
  requestId?: string;
  /** The first of the matching calls that counts, from 1 (the default). */
  nth?: number | undefined;
}

export interface MatchedCall {
  service: string;
  operation: string | null;
  method: string;
  url: string;
  requestId: string | null;
}

/** @throws when the path is not a regular expression. */
export function matcherOf(matcher: Matcher): (call: MatchedCall) => boolean {
  const path = matcher.path === undefined ? undefined : new RegExp(matcher.path);
  const method = matcher.method?.toUpperCase();
  return (call) =>
    (matcher.service === undefined || matcher.service === call.service) &&
    (matcher.operation === undefined || matcher.operation === call.operation) &&
    (matcher.requestId === undefined || matcher.requestId === call.requestId) &&
    (method === undefined || method === call.method) &&
    (path === undefined || path.test(call.url));
}
