import type { CallContext } from '@gateway/openstack';
import type { Logger } from '@gateway/platform';
import type { WorkerContext } from '../context.ts';
import { JobCredentials } from './job-credentials.ts';

const RIGHTS_LOST =
  'The user who set up the auto backup has lost the account or the role that it works with. Set it up again to continue.';

interface Parts {
  configurationId: string;
  projectId: string;
  call: CallContext;
  logger: Logger;
}

/** The identities of an auto backup: the delegation of its configuration. */
export function autoBackupCredentials(
  { applicationCredentials, autoBackups, openstack, serviceAccount }: WorkerContext,
  { configurationId, projectId, call, logger }: Parts,
): JobCredentials {
  const { delegations, store } = autoBackups;
  return new JobCredentials({
    openstack,
    serviceAccount,
    applicationCredentials,
    credential: null,
    standing: {
      async trustId() {
        const found = await store.read(configurationId);
        if (found !== null) return delegations.open(found.sealedDelegation).trustId;
        // A run whose configuration was removed still rolls back with its delegation.
        return (await delegations.retiredOf(configurationId))?.trustId ?? null;
      },
      lostMessage: RIGHTS_LOST,
    },
    projectId,
    call,
    logger,
  });
}
