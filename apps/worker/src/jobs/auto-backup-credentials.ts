import type { Delegation } from '@gateway/openstack';
import type { WorkerContext } from '../context.ts';
import { decrypted, type JobContext } from './job-context.ts';
import { JobCredentials } from './job-credentials.ts';

const RIGHTS_LOST =
  'The user who set up the auto backup has lost the account or the role that it works with. Set it up again to continue.';

interface Parts extends Pick<JobContext, 'projectId' | 'onlyRemoves' | 'call' | 'logger'> {
  configurationId: string;
}

/** The identities of an auto backup: the delegation of its configuration. */
export function autoBackupCredentials(
  { applicationCredentials, autoBackups, openstack, serviceAccount }: WorkerContext,
  { configurationId, projectId, onlyRemoves, call, logger }: Parts,
): JobCredentials {
  const { delegations, store } = autoBackups;
  async function delegation(): Promise<Delegation | null> {
    const found = await store.read(configurationId);
    // A run whose configuration was removed still rolls back with its delegation.
    return found === null ? delegations.retiredOf(configurationId) : delegations.open(found.sealedDelegation);
  }
  return new JobCredentials({
    openstack,
    serviceAccount,
    applicationCredentials,
    credential: null,
    standing: {
      trustId: async () => (await decrypted(delegation, { onlyRemoves }))?.trustId ?? null,
      lostMessage: RIGHTS_LOST,
    },
    projectId,
    call,
    logger,
  });
}
