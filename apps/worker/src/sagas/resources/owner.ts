import type { Config } from '@gateway/config';
import type { BoundClient } from '@gateway/openstack';
import type { JobMark } from './find-by-mark.ts';
import type { RemovalRights } from './removal.ts';

/** Whose rights the steps of a saga use, and by which mark the things they create are found again. */
export interface Owner<Context> {
  /** For creating things and reading their state. */
  client(context: Context): Promise<BoundClient>;
  /** For finding and removing them. */
  removal(context: Context): Promise<RemovalRights>;
  mark(context: Context): Promise<JobMark>;
}

/** What every step that creates a resource needs of its saga. */
export interface ResourceContext {
  readonly jobId: string;
  readonly config: Pick<Config, 'jobs' | 'timeLimits'>;
}
