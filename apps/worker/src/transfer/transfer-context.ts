import type { WorkerContext } from '../context.ts';

/** What an export and an import work with: the store, and nothing of the cloud. */
export type TransferContext = Pick<WorkerContext, 'autoBackups' | 'gpuQuotas' | 'liteClusters'>;
