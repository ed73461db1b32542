import type { Config } from '@gateway/platform';
import type { Redis } from '@gateway/store';
import type { WorkerContext } from '../context.ts';

/** What an export and an import work with: the store, and nothing of the cloud. */
export type TransferContext = Pick<WorkerContext, 'autoBackups' | 'gpuQuotas' | 'liteClusters'> & {
  config: Pick<Config, 'history'>;
  redis: { store: Redis };
};
