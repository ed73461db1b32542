import type { RequestListener } from 'node:http';
import type { Tracing } from '@gateway/platform';
import { finalStatusOf, type GatewayResponse } from '../response/gateway-response.ts';
import { headerText } from './credentials.ts';

/** Serves each request within a span that continues the trace in the caller's `traceparent`. */
export function traceRequests(tracing: Tracing, listener: RequestListener): RequestListener {
  return (request, response) => {
    const { method = '', headers } = request;
    const span = tracing.start(method, {
      kind: 'server',
      parent: {
        traceparent: headerText(headers.traceparent),
        tracestate: headerText(headers.tracestate),
      },
    });
    response.on('close', () => {
      // The request log has the same fields.
      const { locals } = response as GatewayResponse;
      const { route = 'unknown', requestId, projectId, jobId } = locals;
      const status = finalStatusOf(response);
      span.rename(`${method} ${route}`);
      span.set({
        'http.request.method': method,
        'http.route': route,
        'http.response.status_code': status,
        'gateway.request_id': requestId,
        'gateway.project_id': projectId,
        'gateway.job.id': jobId,
      });
      if (status >= 500) span.fail(String(status));
      span.end();
    });
    return tracing.activate(span, () => listener(request, response));
  };
}
