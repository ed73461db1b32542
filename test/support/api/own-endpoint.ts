import { createServer, type Server } from 'node:http';
import { closeServer, listen } from '@gateway/runtime';
import express from 'express';
import Joi from 'joi';
import { assignRequestId } from '../../../apps/api/src/http/request/request-id.ts';
import { type AnyEndpoint, type Endpoint, endpoint } from '../../../apps/api/src/pipeline/endpoint.ts';
import { mountEndpoints } from '../../../apps/api/src/pipeline/mount.ts';
import { type Answer, type ErrorAnswer, type RequestOptions, send } from './client.ts';
import type { ApiSuite, TestApi } from './suite.ts';

export interface OwnEndpoint {
  readonly port: number;
  /** One request to it, for the thing `t-1` unless told. */
  call(request?: RequestOptions, thing?: string): Promise<Answer<ErrorAnswer & { is?: string }>>;
}

export interface OwnEndpoints {
  /** Serves one endpoint of the test's own beside an api's, which need not have one like it. */
  serve(api: TestApi, parts: Partial<Endpoint>): Promise<OwnEndpoint>;
}

/** To be called within `describe`, beside `apiSuite`. */
export function ownEndpoints(suite: ApiSuite): OwnEndpoints {
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
          response: Joi.object({ is: Joi.string() }),
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
      suite.admit(port);
      return {
        port,
        call: (request = {}, thing = 't-1') =>
          send({ port, declared }, declared[0]?.method ?? '', `/api/things/${thing}`, request),
      };
    },
  };
}
