import type { JobMark, RemovalRights } from '@gateway/inventory';
import type { BoundClient } from '@gateway/openstack';
import type { Config } from '@gateway/platform';

/**
 * The owner of the resources that the steps of a saga create: their rights, and the mark by which the
 * resources are found.
 */
export interface ResourceOwner {
  /** For creating and reading resources. */
  client(): Promise<BoundClient>;
  /** For finding and removing resources. */
  removal(): Promise<RemovalRights>;
  mark(): Promise<JobMark>;
}

/** The part of a saga's context that steps which create a resource need. */
export interface ResourceContext {
  readonly jobId: string;
  readonly config: Pick<Config, 'jobs' | 'timeLimits'>;
  readonly resourceOwner: ResourceOwner;
}
