import type { Span, Tracing } from '@gateway/platform';
import type { UpstreamRequest } from './upstream-request.ts';

/**
 * The span of one attempt of a call; null without an active trace. It contains neither path, headers nor
 * bodies, which may contain names and secrets.
 */
export function startCallSpan(
  tracing: Tracing,
  { service, operation, method, url, headers }: UpstreamRequest,
  attempt: number,
): Span | null {
  if (tracing.active() === null) return null;
  const { hostname, port, protocol } = new URL(url);
  return tracing.start(`${service} ${operation}`, {
    kind: 'client',
    attributes: {
      'http.request.method': method,
      'http.request.resend_count': attempt === 1 ? undefined : attempt - 1,
      'server.address': hostname,
      'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
      'gateway.service': service,
      'gateway.operation': operation,
      'gateway.request_id': headers['x-openstack-request-id'],
    },
  });
}

/** `status` is null without a response. */
export function endCallSpan(span: Span, status: number | null): void {
  if (status !== null) span.set({ 'http.response.status_code': status });
  if (status === null || status >= 400) span.fail(status === null ? 'no_response' : String(status));
  span.end();
}
