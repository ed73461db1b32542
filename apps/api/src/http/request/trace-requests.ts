import type { RequestListener } from 'node:http';
import type { Tracing } from '@gateway/telemetry';
import { type GatewayResponse, requestIdOf } from '../response/gateway-response.ts';
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
      const { route = 'unknown', projectId, jobId } = (response as GatewayResponse).locals;
      const status = response.writableFinished ? response.statusCode : 499;
      span.rename(`${method} ${route}`);
      span.set({
        'http.request.method': method,
        'http.route': String(route),
        'http.response.status_code': status,
        'gateway.request_id': requestIdOf(response as GatewayResponse),
        'gateway.project_id': projectId as string | undefined,
        'gateway.job.id': jobId as string | undefined,
      });
      if (status >= 500) span.fail(String(status));
      span.end();
    });
    return tracing.activate(span, () => listener(request, response));
  };
}
