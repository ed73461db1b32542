/** Which calls a fault or a hold is for: every part given must match; without any, every call does. */
export interface Matcher {
  service?: string;
  operation?: string;
  method?: string;
  /** A regular expression over path and query, from the server's root. */
  path?: string;
  /** The global request id that the call carries. */
  requestId?: string;
}

export interface MatchedCall {
  service: string;
  operation: string | null;
  method: string;
  url: string;
  requestId: string | null;
}

/** @throws when the path is no regular expression. */
export function matcherOf(wanted: Matcher): (call: MatchedCall) => boolean {
  const path = wanted.path === undefined ? undefined : new RegExp(wanted.path);
  const method = wanted.method?.toUpperCase();
  return (call) =>
    (wanted.service === undefined || wanted.service === call.service) &&
    (wanted.operation === undefined || wanted.operation === call.operation) &&
    (wanted.requestId === undefined || wanted.requestId === call.requestId) &&
    (method === undefined || method === call.method) &&
    (path === undefined || path.test(call.url));
}
