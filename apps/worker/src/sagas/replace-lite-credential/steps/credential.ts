import { type LiteCluster, nextCredentialName } from '@gateway/lite';
import { requireLiteCluster } from '../../lite-clusters/context.ts';
import {
  createCredentialOf,
  findCredentials,
  removeCredential,
  tryCredential,
} from '../../lite-clusters/credentials.ts';
import { areInSecrets } from '../../lite-clusters/plugin-secrets.ts';
import { bothCredentials, restartPrograms, withApiServer, writeSecrets } from '../credential-in-cluster.ts';
import { announce, defineReplacementStep, type ReplaceLiteCredentialStepContext } from '../saga.ts';

/**
 * The caller's application credential, which replaces that of the plugins. The rollback deletes it only when
 * the cluster has the old one again.
 */
export const createNextCredential = defineReplacementStep<{ credentialId: string }>({
  name: 'credential',
  beginUpdate: announce('credential_creating', 'The new credential is being created.'),
  // Names are unique among the credentials of a user.
  onRepeat: 'rejected',
  async run(context) {
    const { input, liteClusters } = context;
    const cluster = await requireLiteCluster(context);
    const secret = await liteClusters.readSecret(cluster, 'nextCredentialSecret');
    if (secret === null) throw new Error('The secret of the credential is missing.');
    const credential = { ...nameOf(context, cluster), secret, roles: input.roles };
    return { credentialId: await createCredentialOf(context, cluster, credential) };
  },
  async settle(context, { credentialId: id }) {
    const cluster = await requireLiteCluster(context);
    const secret = await context.liteClusters.readSecret(cluster, 'nextCredentialSecret');
    await tryCredential(context, cluster, { id, secret });
    return undefined;
  },
  async find(context) {
    const cluster = await context.liteClusters.read(context.clusterId);
    if (cluster === null) return [];
    const ids = await findCredentials(context, cluster, nameOf(context, cluster));
    return ids.map((credentialId) => ({ credentialId }));
  },
  async undo(context, { credentialId }) {
    const cluster = await context.liteClusters.read(context.clusterId);
    // The record has it: the job ended before it knew that its write had arrived.
    if (cluster?.credential?.id === credentialId) return;
    // A journal that has lost the credential may have lost what came after it as well.
    const mayBeInUse = context.state.isWritten === true || context.state.credentialId === undefined;
    if (cluster?.status === 'ACTIVE' && mayBeInUse) await restore(context, cluster, credentialId);
    await removeCredential(context, { id: credentialId, userId: context.input.userId });
  },
  leftover: ({ credentialId }) => ({ type: 'application_credential', id: credentialId }),
});

function nameOf({ input, jobId }: ReplaceLiteCredentialStepContext, cluster: LiteCluster) {
  return { userId: input.userId, name: nextCredentialName(cluster, jobId) };
}

async function restore(
  context: ReplaceLiteCredentialStepContext,
  cluster: LiteCluster,
  credentialId: string,
): Promise<void> {
  const { isRestarted, isWritten } = context.state;
  const { old, next } = await bothCredentials(context, cluster, credentialId);
  await withApiServer(context, cluster, async (api) => {
    // What is not in the journal is in the cluster. A cluster with neither has that of a later replacement.
    if (!(await areInSecrets(api, cluster, isWritten === true ? [next, old] : [next]))) return;
    await writeSecrets(api, cluster, next, old);
    if (isWritten !== true || isRestarted === true) await restartPrograms(api, cluster, old.id);
  });
}
