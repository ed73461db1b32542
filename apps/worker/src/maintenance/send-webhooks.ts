import type { WorkerContext } from '../context.ts';
import { storeJobEvents } from './store-job-events.ts';

/** Stores what has happened to jobs for the webhooks that learn of it, and sends what is due. */
export async function sendWebhooks(worker: WorkerContext): Promise<void> {
  try {
    await storeJobEvents(worker);
  } finally {
    await worker.webhookSender.pass();
  }
}
