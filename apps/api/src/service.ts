import { setTimeout as delay } from 'node:timers/promises';
import { claimStore, endStoreUse, type ProcessParts, useStore } from '@gateway/context';
import { closeServer, createWebServer, listen, type Service } from '@gateway/platform';
import { waitUntilReady } from '@gateway/store';
import { type AppContext, createContext } from './context.ts';
import { createListener } from './create-listener.ts';
import { isTooLong } from './http/request/body.ts';
import { handleClientError } from './http/response/client-error.ts';
import { ListPolls } from './polls/list-polls.ts';
import { endpoints } from './routes/index.ts';

export interface ApiService extends Service {
  readonly context: AppContext;
  /** Where the server listens, once it has started. */
  address(): { host: string; port: number };
}

/** The last part of the drain time, in which requests with aborted waits send their responses. */
const FINAL_RESPONSES_MS = 1_000;

/** How long a start waits for Redis. After that the api starts without Redis, and its health shows that. */
const REDIS_WAIT_MS = 2_000;

/** How long it waits for an answer of a Redis that is available. */
const CLAIM_WAIT_MS = 10_000;

/**
 * How long an unused connection stays open. Proxies and clients keep theirs for up to a minute, as a rule,
 * and should close it first: a request that meets a connection which the server is closing is lost, and a
 * proxy answers 502.
 */
const IDLE_CONNECTION_MS = 75_000;

/** How often the server checks for requests that have not arrived in time. */
const TIMEOUT_CHECK_MS = 1_000;

function createServer(
  { config, logger, metrics }: ProcessParts,
  { listener, ...messages }: ReturnType<typeof createListener>,
) {
  const { bodyLimitBytes, requestTimeoutSeconds } = config.http;
  const options = {
    ...messages,
    tls: config.listen,
    logger,
    metrics,
    requestTimeout: requestTimeoutSeconds * 1000,
    keepAliveTimeout: IDLE_CONNECTION_MS,
    connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    // Spares requests without a body the life cycle of a stream, and its events.
    optimizeEmptyRequests: true,
  };
  return createWebServer(options, listener)
    .on('clientError', handleClientError)
    .on('checkContinue', (request, response) => {
      if (!isTooLong(request, bodyLimitBytes)) response.writeContinue();
      listener(request, response);
    });
}

export function createApiService(parts: ProcessParts): ApiService {
  const { config, logger } = parts;
  const context = createContext(parts);
  const server = createServer(parts, createListener(context));
  const polls = new ListPolls(context, endpoints);
  const closing = new AbortController();
  let address = { host: config.listen.host, port: config.listen.apiPort };

  return {
    context,
    address: () => address,
    async start() {
      const { queue, store } = context.redis;
      const [isReady] = await Promise.all(
        [store, queue].map((redis) => waitUntilReady(redis, REDIS_WAIT_MS)),
      );
      const using = claimStore(context, closing.signal).then(() => useStore(context, closing.signal));
      if (isReady) await Promise.race([using, delay(CLAIM_WAIT_MS, undefined, { ref: false })]);
      // If the store turns out to be another gateway's later, the unhandled rejection ends the process.
      void using.then();
      polls.start();
      address = await listen(server, { host: config.listen.host, port: config.listen.apiPort });
      logger.info('The api is listening', address);
    },
    async close() {
      context.draining = true;
      closing.abort();
      context.streams.close();
      polls.stop();
      const graceMs = config.timeLimits.shutdownSeconds * 1000;
      const timer = setTimeout(() => context.waitAbort.abort(), graceMs - FINAL_RESPONSES_MS);
      await closeServer(server, { graceMs });
      clearTimeout(timer);
      context.waitAbort.abort();
      await context.closers.closeInReverse();
    },
    giveUp: () => endStoreUse(context),
  };
}
