import { requireState } from '../../../saga/index.ts';
import { requireLiteCluster } from '../../lite-clusters/context.ts';
import { bothCredentials, patiently, withApiServer, writeSecrets } from '../credential-in-cluster.ts';
import { announce, defineReplacementStep } from '../saga.ts';

/** Writes the new credential into the secrets of the plugins, after a rollback would restore the old one. */
export const writeCredential = defineReplacementStep<{ isWritten: boolean }>({
  name: 'write-credential',
  beginUpdate: announce('credential_writing', 'The new credential is being written into the cluster.'),
  run: async () => ({ isWritten: true }),
  async settle(context) {
    const cluster = await requireLiteCluster(context);
    const { old, next } = await bothCredentials(context, cluster, requireState(context, 'credentialId'));
    await patiently(context, () =>
      withApiServer(context, cluster, (api) => writeSecrets(api, cluster, old, next)),
    );
    return undefined;
  },
});
