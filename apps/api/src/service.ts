import { createServer, type RequestListener } from 'node:http';
import type { HttpConfig } from '@gateway/config';
import { waitUntilReady } from '@gateway/redis';
import { closeServer, listen, type Service } from '@gateway/runtime';
import { createListener } from './app.ts';
import { type AppContext, type ContextParts, createContext } from './context.ts';
import { isTooLong } from './http/request/body.ts';
import { answerClientError } from './http/response/client-error.ts';

export interface ApiService extends Service {
  readonly context: AppContext;
  /** Where it listens, once started. */
  address(): { host: string; port: number };
}

/** What is left of the drain time for answers once nobody waits any more. */
const LAST_ANSWERS_MS = 1_000;

/** A start waits this long for Redis; without it the api starts all the same, and says so in its health. */
const REDIS_PATIENCE_MS = 2_000;

/** How often the server looks for requests that take too long to come. */
const TIMEOUT_CHECK_MS = 1_000;

function createHttpServer({ bodyLimitBytes, requestTimeoutSeconds }: HttpConfig, listener: RequestListener) {
  const options = {
    requestTimeout: requestTimeoutSeconds * 1000,
    connectionsCheckingInterval: TIMEOUT_CHECK_MS,
  };
  return createServer(options, listener)
    .on('clientError', answerClientError)
    .on('checkContinue', (request, response) => {
      if (!isTooLong(request, bodyLimitBytes)) response.writeContinue();
      listener(request, response);
    });
}

export function createApiService(parts: ContextParts): ApiService {
  const { config, logger } = parts;
  const context = createContext(parts);
  const server = createHttpServer(config.http, createListener(context));
  let address = { host: config.listen.host, port: config.listen.apiPort };

  return {
    context,
    address: () => address,
    async start() {
      await waitUntilReady(context.redis.store, REDIS_PATIENCE_MS);
      address = await listen(server, { host: config.listen.host, port: config.listen.apiPort });
      logger.info('The api listens', address);
    },
    async close() {
      context.draining = true;
      context.streams.close();
      const graceMs = config.http.drainTimeoutSeconds * 1000;
      const lastCall = setTimeout(() => context.lastCall.abort(), graceMs - LAST_ANSWERS_MS);
      await closeServer(server, { graceMs });
      clearTimeout(lastCall);
      context.lastCall.abort();
      await context.closers.closeInReverse();
    },
  };
}
