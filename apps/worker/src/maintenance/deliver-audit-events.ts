import type { WorkerContext } from '../context.ts';

/** About 100 KiB, which every receiver takes. */
const BATCH_SIZE = 100;
/** The task is overdue if it never ends, so the next run takes over what arrives meanwhile. */
const PASS_MS = 60_000;

/**
 * Sends the waiting audit events in their order. An event is removed only after the receiver has it, so one
 * is sent again, with the same id, if the worker dies between the two. Other runs try again what has failed.
 */
export async function deliverAuditEvents(worker: WorkerContext): Promise<void> {
  const { auditOutbox, auditReceiver, clock, logger, stopping } = worker;
  if (auditOutbox === null || auditReceiver === null) return;
  const end = clock.now() + PASS_MS;
  while (!stopping.signal.aborted && clock.now() < end) {
    const events = await auditOutbox.first(BATCH_SIZE);
    if (events.length === 0) return;
    try {
      await auditReceiver.send(events.map(({ event }) => event));
    } catch (error) {
      logger.warn('Audit events wait: their receiver does not take them', { count: events.length, error });
      return;
    }
    await auditOutbox.delivered(events);
  }
}
