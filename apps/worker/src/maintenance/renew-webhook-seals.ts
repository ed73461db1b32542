import type { WorkerContext } from '../context.ts';

/** Encrypts the secrets of webhooks with the current key. */
export async function renewWebhookSeals({
  logger,
  sealer,
  stopping,
  webhooks,
}: WorkerContext): Promise<void> {
  for (const id of await webhooks.allIds()) {
    if (stopping.signal.aborted) return;
    try {
      const webhook = await webhooks.read(id);
      if (webhook !== null) await webhooks.renewSeal(webhook, sealer);
    } catch (error) {
      logger.warn('The secret of a webhook could not be encrypted again', { webhook_id: id, error });
    }
  }
}
