import type { BoundClient } from '@gateway/openstack';
import type { Config } from '@gateway/platform';

/** What the checks of a creation need. A request has it, and the job that the request starts. */
export interface CreationContext<Input> {
  readonly projectId: string;
  readonly config: Config;
  readonly input: Input;
  /** The cloud with the rights of the caller. */
  owner(): BoundClient;
}
