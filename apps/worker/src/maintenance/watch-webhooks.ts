import { setInterval } from 'node:timers';
import { isOutboxEmpty } from '@gateway/jobs';
import type { WorkerContext } from '../context.ts';
import { sendWebhooks } from './send-webhooks.ts';

interface WebhookWatch {
  close(): Promise<void>;
}

/** How long an event waits before it is sent. */
const INTERVAL_MS = 2_000;

/**
 * Sends webhooks soon after something has happened. A scheduled task does so too, less often: an entry of a
 * queue every two seconds would cost an idle worker many times as much as this question.
 */
export function watchWebhooks(worker: WorkerContext): WebhookWatch {
  const { logger, redis, stopping } = worker;
  let checking: Promise<void> | null = null;
  const check = async (): Promise<void> => {
    try {
      await sendIfNeeded(worker);
    } catch (error) {
      if (!stopping.signal.aborted) logger.warn('Webhooks could not be sent yet', { error });
    } finally {
      checking = null;
    }
  };
  const timer = setInterval(() => {
    // While Redis is unavailable, a check waits.
    checking ??= check();
  }, INTERVAL_MS);
  return {
    async close() {
      clearInterval(timer);
      // While Redis is unavailable, a check would hold up the process. What it has claimed is sent later.
      if (redis.isReady()) await checking;
    },
  };
}

/** Asks in one round trip whether there is anything to do. Claims keep two workers from sending the same. */
export async function sendIfNeeded(worker: WorkerContext): Promise<void> {
  const { redis, storeUse, webhooks } = worker;
  const [isEmpty, isAnyDue] = await Promise.all([isOutboxEmpty(redis.store), webhooks.isAnyDue()]);
  if (isEmpty && !isAnyDue) return;
  // While jobs are held, so is what follows from them.
  if ((await storeUse.renew()) === null) await sendWebhooks(worker);
}
