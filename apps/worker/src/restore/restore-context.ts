import type { WorkerContext } from '../context.ts';

/** What a restore works with: the store, and nothing of the cloud. */
export type RestoreContext = Pick<
  WorkerContext,
  'autoBackups' | 'config' | 'liteClusters' | 'redis' | 'sealer' | 'webhooks'
>;
