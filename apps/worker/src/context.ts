import {
  ActivityReaders,
  type AuditOutbox,
  type EndedJob,
  openAuditStream,
  sharedReaders,
} from '@gateway/activity';
import { ListCache } from '@gateway/cache';
import { type Dependencies, MicroversionCheck, openDependencies, type ProcessParts } from '@gateway/context';
import { urlRules, WebhookSender } from '@gateway/webhooks';
import { openAuditReceiver } from './audit-stream/open-receiver.ts';
import type { AuditReceiver } from './audit-stream/receiver.ts';
import { SuspectRuns } from './suspect-runs.ts';

/** The dependencies of one worker process. Created once and passed down. */
export interface WorkerContext extends Dependencies {
  readonly cache: ListCache;
  /** Learn what jobs write. */
  readonly activity: ActivityReaders;
  readonly microversionCheck: MicroversionCheck;
  readonly suspectRuns: SuspectRuns;
  /** Null without an audit stream, as its receiver. */
  readonly auditOutbox: AuditOutbox | null;
  readonly auditReceiver: AuditReceiver | null;
  /** @throws while the store is unavailable */
  readonly storeAuditedEnd: (job: EndedJob) => Promise<void>;
  readonly webhookSender: WebhookSender;
  /** Aborted when the process stops: running jobs are released at their next safe point. */
  readonly stopping: Pick<AbortController, 'abort' | 'signal'>;
}

export function createContext(parts: ProcessParts): WorkerContext {
  const dependencies = openDependencies(parts, { retryPolicy: 'wait' });
  const { clock, config, logger, metrics, openstack, redis, serviceAccount } = dependencies;
  const cache = new ListCache(redis.cache, {
    transitionLimitSeconds: config.cache.transitionLimitSeconds,
    clock,
    onRead: (list, outcome) => metrics.cacheRead({ list, outcome }),
    onUnavailable: (error) => logger.debug('The cache is unavailable', { error }),
  });
  const stream = openAuditStream(dependencies);
  const stopping = new AbortController();
  return {
    ...dependencies,
    cache,
    activity: new ActivityReaders(sharedReaders({ ...dependencies, cache }), logger),
    microversionCheck: new MicroversionCheck({
      openstack,
      logger,
      clock,
      endpoints: async (requestId) => (await serviceAccount.identity({ requestId }))?.endpoints ?? null,
    }),
    suspectRuns: new SuspectRuns(),
    auditOutbox: stream.outbox,
    auditReceiver: openAuditReceiver(config),
    storeAuditedEnd: stream.storeEnd,
    webhookSender: openWebhookSender(dependencies, stopping.signal),
    stopping,
  };
}

function openWebhookSender(
  { closers, config, logger, metrics, redis, sealer, webhooks }: Dependencies,
  signal: AbortSignal,
): WebhookSender {
  const sender = new WebhookSender({
    store: webhooks,
    sealer,
    ...urlRules(config),
    signal,
    onOutcome: (outcome, count) => metrics.webhookDelivered(outcome, count),
    onError: (id, error) => logger.warn('A webhook could not be served', { webhook_id: id, error }),
  });
  // While Redis is unavailable, no result can be written: the messages are sent again, with the same ids.
  closers.add('webhooks', async () => (redis.isReady() ? sender.close() : undefined));
  return sender;
}
