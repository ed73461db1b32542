import type { Config } from '@gateway/config';
import type { BoundClient } from '@gateway/openstack';
import type { JobMark } from './find-by-mark.ts';
import type { RemovalRights } from './removal.ts';

/** The rights that the steps of a saga use, and the mark of the resources that they create. */
export interface Owner<Context> {
  /** For creating and reading resources. */
  client(context: Context): Promise<BoundClient>;
  /** For finding and removing resources. */
  removal(context: Context): Promise<RemovalRights>;
  mark(context: Context): Promise<JobMark>;
}

/** The part of a saga's context that steps which create a resource need. */
export interface ResourceContext {
  readonly jobId: string;
  readonly config: Pick<Config, 'jobs' | 'timeLimits'>;
}
