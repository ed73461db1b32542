import { replaceLiteCredentialSteps } from '../../../apps/worker/src/sagas/replace-lite-credential/index.ts';
import { readSecret } from '../../support/kubernetes/objects.ts';
import { apiAccessOf, readCluster } from '../../support/lite/clusters.ts';
import type { Kind } from '../kind.ts';
import type { Rig } from '../rig.ts';
import { activeCluster } from './active-lite-cluster.ts';

/** The replacement of the plugins' credential by another one of the same user. */
export const replaceLiteCredential: Kind = {
  name: 'replace lite credential',
  jobType: 'lite.credential',
  steps: replaceLiteCredentialSteps.map(({ name }) => name),
  entries: {
    plan: 'no call',
    // The request has created a credential, with which the job creates this one.
    credential: [{ service: 'identity', operation: 'application_credentials.create', nth: 2 }],
    'write-credential': 'no call',
    'restart-plugins': 'no call',
    record: 'no call',
    'remove-replaced': [{ service: 'identity', operation: 'application_credentials.delete' }],
  },
  creates: { 'application_credentials.create': 2 },
  completed: { application_credentials: [1, 1] },
  runsSlowFaults: true,
  isCancellable: true,
  commitsAt: 'record',
  async prepare(rig) {
    const id = await activeCluster(rig, 0);
    await rig.stored.removePlugin(id, 'secrets_kms');
    return id;
  },
  async start(rig, id, requestId) {
    return rig.startJob(requestId, 'POST', `/api/lite/clusters/${id}/credential`);
  },
  inspect,
};

/** The record and the cluster have the same credential, which exists. */
async function inspect(rig: Rig, id: string, isCompleted: boolean): Promise<string[]> {
  const { status, status_reason: reason } = await readCluster(rig.gateway(), id);
  const credentialId = await rig.stored.credentialOf(id);
  const isTrue = status === 'ACTIVE' && (reason === null) === isCompleted;
  const exists = (await rig.control.inventory()).get('application_credentials')?.has(credentialId);
  const conf = (await readSecret(await apiAccessOf(rig.gateway(), id), 'cloud-config'))['cloud.conf'] ?? '';
  return [
    ...(isTrue ? [] : [`the record tells ${status}: ${reason}`]),
    ...(exists ? [] : ['the credential in the record does not exist']),
    ...(conf.includes(credentialId) ? [] : ['the cluster has another credential than its record']),
  ];
}
