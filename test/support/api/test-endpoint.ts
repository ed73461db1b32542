import { createServer, type Server } from 'node:http';
import { part, text } from '@gateway/core/shapes';
import { closeServer, listen } from '@gateway/platform';
import express from 'express';
import { assignRequestId } from '../../../apps/api/src/http/request/request-logging.ts';
import { type AnyEndpoint, type Endpoint, endpoint } from '../../../apps/api/src/pipeline/endpoint.ts';
import { mountEndpoints } from '../../../apps/api/src/pipeline/mount-endpoints.ts';
import { type ApiResponse, type ErrorBody, type RequestOptions, send } from './client.ts';
import type { ApiSuite, TestApi } from './suite.ts';

interface TestEndpoint {
  readonly port: number;
  /** Sends a request to the endpoint, for the thing `t-1` by default. */
  call(request?: RequestOptions, thing?: string): Promise<ApiResponse<ErrorBody & { is?: string }>>;
}

interface TestEndpoints {
  /** Serves an endpoint of the test with the context of an api. */
  serve(api: TestApi, parts: Partial<Endpoint>): Promise<TestEndpoint>;
}

/** Call within `describe`, together with `apiSuite`. */
export function testEndpoints(suite: ApiSuite): TestEndpoints {
  const servers: Server[] = [];

  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => closeServer(server, { graceMs: 0 })));
  });

  return {
    async serve(api, parts) {
      const declared: AnyEndpoint[] = [
        endpoint({
          method: 'POST',
          path: '/api/things/:thing_id',
          tag: { name: 'things', description: 'Things' },
          summary: 'A thing',
          access: 'project',
          response: part({ is: text() }),
          errors: ['not_found', 'conflict'],
          handler: async () => ({ is: 'done' }),
          ...parts,
        }),
      ];
      const app = express().use((request, response, next) => {
        assignRequestId(request, response);
        next();
      });
      app.set('trust proxy', api.context.config.http.trustedProxies);
      mountEndpoints(app, api.context, declared);
      const server = createServer(app);
      servers.push(server);
      const { port } = await listen(server, { host: '127.0.0.1', port: 0 });
      suite.allowPort(port);
      return {
        port,
        call: (request = {}, thing = 't-1') =>
          send({ port, declared }, declared[0]?.method ?? '', `/api/things/${thing}`, request),
      };
    },
  };
}
