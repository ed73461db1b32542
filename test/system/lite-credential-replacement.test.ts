import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { credentialHolders } from '@gateway/lite';
import { CloudClient } from '../support/clients/cloud-client.ts';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import {
  type ApiAccess,
  podAnnotationsOf,
  readSecret,
  setWorkloadStatus,
  writeSecret,
} from '../support/kubernetes/objects.ts';
import {
  apiAccessOf,
  checkHealth,
  createCluster,
  deleteCluster,
  readCluster,
  replaceCredential,
} from '../support/lite/clusters.ts';
import { prepareRole } from '../support/projects/prepared-cloud.ts';
import { type PreparedMember, prepareMember } from '../support/projects/prepared-member.ts';
import { createNetwork, externalNetworkId } from '../support/projects/prepared-project.ts';
import { SimulatedStack } from '../support/stacks/simulated-stack.ts';
import { testLogin } from '../support/stacks/test-stack.ts';

const plugins = {
  cloud_controller_enabled: true,
  block_csi_enabled: true,
  file_csi_enabled: true,
  lb_ingress_enabled: true,
};
const holders = credentialHolders(['cloud_controller', 'block_csi', 'file_csi', 'lb_ingress']);
const NAMESPACE = '/apis/apps/v1/namespaces/kube-system';
const CONTROLLER = { kind: 'Deployment', metadata: { name: 'csi-cinder-controllerplugin' } };
const HOLD_MS = 10_000;

interface Credential {
  id: string;
  name: string;
  roles: { name: string }[];
  access_rules?: object[];
}

describe('the replacement of the credential of a lite cluster', function () {
  this.timeout(120_000);
  let simulated: SimulatedStack;
  let admin: CloudClient;
  /** Creates the cluster, and leaves the project. */
  let leaver: PreparedMember;
  let colleague: GatewayClient;
  let colleagueId: string;
  let id: string;
  let access: ApiAccess;

  before(async () => {
    simulated = await SimulatedStack.start({
      config: {
        jobs: { sweep_seconds: 2, lock_seconds: 3 },
        lite: { server_volume_size_gb: 1, plugins, health: { request_seconds: 1 } },
        time_limits: { lite_ready_seconds: 20, step_retry_seconds: 1, undo_seconds: 10 },
      },
    });
    const identityUrl = simulated.stack.identityUrl ?? '';
    admin = await CloudClient.logIn(identityUrl, testLogin('admin'));
    leaver = await prepareMember(identityUrl, admin);
    const alice = testLogin('alice');
    colleagueId = (await CloudClient.logIn(identityUrl, alice)).userId;
    await prepareRole(admin, { userId: colleagueId, projectId: leaver.id, role: 'member' });
    colleague = await GatewayClient.logIn(simulated.stack.url, {
      ...alice,
      projectName: leaver.login.projectName,
    });
    const gateway = await GatewayClient.logIn(simulated.stack.url, leaver.login);
    const name = `e2e-${randomUUID().slice(0, 8)}`;
    const network = await createNetwork(leaver.cloud, await externalNetworkId(admin));
    const last = (await createCluster(gateway, { name, agent_count: 0, network_id: network.id })).at(-1);
    assert.equal(last?.step, 'completed', last?.error ?? '');
    id = last.cluster_id;
    access = await apiAccessOf(colleague, id);
  });

  afterEach(() => simulated.control.clear());

  after(() => simulated?.stop());

  async function credentialsOf(userId: string): Promise<Credential[]> {
    const path = `/users/${userId}/application_credentials`;
    return (await admin.call<{ application_credentials: Credential[] }>('identity', 'GET', path))
      .application_credentials;
  }

  /** The credentials of clusters, once the jobs have released those with which they create others. */
  async function clusterCredentials(): Promise<{ leaver: Credential[]; colleague: Credential[] }> {
    return eventually(async () => {
      const found = {
        leaver: await credentialsOf(leaver.cloud.userId),
        colleague: await credentialsOf(colleagueId),
      };
      const isReleased = Object.values(found).every((all) =>
        all.every(({ name }) => !/-creation$/.test(name)),
      );
      return isReleased ? found : undefined;
    });
  }

  /** The values of the secrets of the plugins. */
  function secrets(): Promise<Record<string, string>[]> {
    return Promise.all(holders.secrets.map((name) => readSecret(access, name)));
  }

  async function assertInSecrets(credentialId: string, isIn = true): Promise<void> {
    for (const values of await secrets()) {
      assert.equal(Object.values(values).join('\n').includes(credentialId), isIn, JSON.stringify(values));
    }
  }

  function logInWith(credentialId: string, secret: string): Promise<Response> {
    const base = (simulated.stack.identityUrl ?? '').replace(/\/v3\/?$/, '');
    const credential = { id: credentialId, secret };
    return fetch(`${base}/v3/auth/tokens`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        auth: { identity: { methods: ['application_credential'], application_credential: credential } },
      }),
    });
  }

  /** Whether the identity service accepts what the plugins have. */
  async function logsIn(): Promise<boolean> {
    const [values = {}] = await secrets();
    const conf = values['cloud.conf'] ?? '';
    const part = (key: string) => new RegExp(`^${key} *= *"?([^"\n]+)"?$`, 'm').exec(conf)?.[1];
    const [credentialId, secret] = [part('application-credential-id'), part('application-credential-secret')];
    assert.ok(credentialId && secret, conf);
    const response = await logInWith(credentialId, secret);
    return response.status === 201;
  }

  /** Starts a replacement whose programs do not become available, and waits until they restart. */
  async function startRestarting() {
    await setWorkloadStatus(access, CONTROLLER, { availableReplicas: 0 });
    const answer = replaceCredential(colleague, id);
    const jobId = await eventually(async () => {
      const { items } = await colleague.read<{ items: { id: string; status: string; step: string }[] }>(
        '/api/jobs',
      );
      return items.find(({ status, step }) => status === 'running' && step === 'plugins_restarting')?.id;
    });
    return { answer, jobId };
  }

  async function oldCredential(): Promise<string> {
    const [credential] = (await clusterCredentials()).leaver;
    assert.ok(credential);
    return credential.id;
  }

  it('is 403 with the reason for a token that cannot create credentials', async () => {
    const { userId } = leaver.cloud;
    const path = `/users/${userId}/application_credentials`;
    const made = await leaver.cloud.call<{ application_credential: { id: string; secret: string } }>(
      'identity',
      'POST',
      path,
      { application_credential: { name: 'program', roles: [{ name: 'member' }] } },
    );
    const { id: credentialId, secret } = made.application_credential;
    const response = await logInWith(credentialId, secret);
    const token = response.headers.get('x-subject-token') ?? '';
    const program = new GatewayClient(simulated.stack.url, token, leaver.id);

    const answer = await replaceCredential(program, id);

    assert.deepEqual([answer.status, answer.body.code], [403, 'forbidden'], answer.text);
    assert.match(answer.body.detail ?? '', /Please use the token of a log-in/);
    await leaver.cloud.call('identity', 'DELETE', `${path}/${credentialId}`);
  });

  it('is 409 if somebody has changed a secret, and creates nothing', async () => {
    const before = await readSecret(access, 'cloud-config');
    await writeSecret(access, 'cloud-config', { 'cloud.conf': '[Global]' });

    const answer = await replaceCredential(colleague, id);

    assert.deepEqual([answer.status, answer.body.code], [409, 'conflict'], answer.text);
    assert.match(answer.body.detail ?? '', /kube-system\/cloud-config .*Somebody has changed it/);
    assert.deepEqual((await clusterCredentials()).colleague, []);
    await writeSecret(access, 'cloud-config', before);
  });

  it('is 503 without the API server, and creates nothing', async () => {
    const { server_vm_id } = await readCluster(colleague, id);
    await simulated.control.changeKubernetes(server_vm_id ?? '', { api: 'down' });

    const answer = await replaceCredential(colleague, id);

    assert.deepEqual([answer.status, answer.body.code], [503, 'upstream_unavailable'], answer.text);
    assert.deepEqual((await clusterCredentials()).colleague, []);
    await simulated.control.changeKubernetes(server_vm_id ?? '', { api: 'up' });
  });

  it('that fails afterwards restores the old credential, and deletes the new one', async () => {
    const old = await oldCredential();
    await setWorkloadStatus(access, CONTROLLER, { availableReplicas: 0 });

    const answer = await replaceCredential(colleague, id);

    assert.deepEqual([answer.status, answer.body.code], [502, 'lite_plugins_not_available'], answer.text);
    assert.match(answer.body.detail ?? '', /csi-cinder-controllerplugin/);
    assert.equal((await readCluster(colleague, id)).status_reason, answer.body.detail);
    await assertInSecrets(old);
    const { leaver: ofLeaver, colleague: ofColleague } = await clusterCredentials();
    assert.deepEqual([ofLeaver.map((one) => one.id), ofColleague], [[old], []]);
    assert.deepEqual(await podAnnotationsOf(access, CONTROLLER), { 'gateway/credential': old });
    await setWorkloadStatus(access, CONTROLLER, { availableReplicas: 1 });
  });

  it('that is cancelled while programs restart restores the old credential', async () => {
    const old = await oldCredential();
    const { answer, jobId } = await startRestarting();

    await colleague.request('POST', `/api/jobs/${jobId}/cancel`);

    const { status, body, text } = await answer;
    assert.deepEqual([status, body.code], [409, 'cancelled'], text);
    await assertInSecrets(old);
    assert.deepEqual((await clusterCredentials()).colleague, []);
    await setWorkloadStatus(access, CONTROLLER, { availableReplicas: 1 });
  });

  it('keeps the new one until the old one can be restored', async () => {
    const old = await oldCredential();
    const { server_vm_id } = await readCluster(colleague, id);
    const { answer, jobId } = await startRestarting();
    await simulated.control.changeKubernetes(server_vm_id ?? '', { api: 'down' });

    await colleague.request('POST', `/api/jobs/${jobId}/cancel`);

    assert.equal((await answer).status, 409);
    const { leftovers } = await colleague.read<{ leftovers: { type: string }[] }>(`/api/jobs/${jobId}`);
    assert.deepEqual(
      leftovers.map(({ type }) => type),
      ['application_credential'],
    );
    const kept = (await credentialsOf(colleagueId)).filter(({ name }) => !/-creation$/.test(name));
    assert.equal(kept.length, 1);
    await simulated.control.changeKubernetes(server_vm_id ?? '', { api: 'up' });
    await eventually(async () => {
      assert.deepEqual((await clusterCredentials()).colleague, []);
      return true;
    });
    await assertInSecrets(old);
    await setWorkloadStatus(access, CONTROLLER, { availableReplicas: 1 });
  });

  it('is named as the remedy once the user has lost the role', async () => {
    const { roles } = await admin.call<{ roles: { id: string }[] }>('identity', 'GET', '/roles?name=member');
    await admin.call(
      'identity',
      'DELETE',
      `/projects/${leaver.id}/users/${leaver.cloud.userId}/roles/${roles[0]?.id}`,
    );
    await checkHealth(colleague, id);

    const { status_reason: reason } = await readCluster(colleague, id);

    assert.match(reason ?? '', /no longer works: the user whom it belongs to/);
    assert.match(reason ?? '', new RegExp(`POST /api/lite/clusters/${id}/credential`));
    assert.equal(await logsIn(), false);
  });

  it('gives the plugins the credential of the caller, and deletes the old', async () => {
    const old = await oldCredential();

    const answer = await replaceCredential(colleague, id);

    assert.deepEqual([answer.status, answer.body.status_reason], [200, null], answer.text);
    const found = await clusterCredentials();
    const [next] = found.colleague;
    assert.ok(next);
    assert.deepEqual([found.leaver, found.colleague.length], [[], 1]);
    assert.match(next.name, /^lite-e2e-/);
    assert.deepEqual(next.roles.map(({ name }) => name).sort(), ['member', 'reader']);
    assert.ok((next.access_rules ?? []).length > 0);
    await assertInSecrets(next.id);
    await assertInSecrets(old, false);
    assert.equal(await logsIn(), true);
  });

  it('has restarted the programs that read it, and no others', async () => {
    const { server_vm_id } = await readCluster(colleague, id);
    const requests = await simulated.control.kubernetesRequests(server_vm_id ?? '');
    const restarted = requests.filter(
      (one) => one.startsWith(`PATCH ${NAMESPACE}`) && !one.endsWith('/status'),
    );

    assert.deepEqual([...new Set(restarted.map((one) => one.slice(`PATCH ${NAMESPACE}/`.length)))].sort(), [
      'daemonsets/openstack-cloud-controller-manager',
      'deployments/csi-cinder-controllerplugin',
      'deployments/octavia-ingress-controller',
    ]);
  });

  it('can be repeated by the same user', async () => {
    const [before] = (await clusterCredentials()).colleague;

    const answer = await replaceCredential(colleague, id);

    assert.equal(answer.status, 200, answer.text);
    const [after, ...more] = (await clusterCredentials()).colleague;
    assert.ok(before && after);
    assert.deepEqual([more, after.id === before.id], [[], false]);
    await assertInSecrets(after.id);
    assert.equal(await logsIn(), true);
  });

  it('continues if its worker dies while programs restart', async () => {
    const { answer } = await startRestarting();
    const [worker] = simulated.stack.workers;

    await worker?.kill('SIGKILL');
    await worker?.restart();

    await setWorkloadStatus(access, CONTROLLER, { availableReplicas: 1 });
    const { status, text } = await answer;
    assert.equal(status, 200, text);
    const [credential, ...more] = (await clusterCredentials()).colleague;
    assert.ok(credential);
    assert.deepEqual(more, []);
    await assertInSecrets(credential.id);
    assert.equal(await logsIn(), true);
  });

  it('is 409 during another one', async () => {
    const hold = await simulated.control.hold('before', {
      operation: 'application_credentials.create',
      nth: 2,
    });
    const first = replaceCredential(colleague, id);
    await hold.waitUntilReached(HOLD_MS);

    const second = await replaceCredential(colleague, id);

    assert.deepEqual([second.status, second.body.code], [409, 'conflict'], second.text);
    await hold.release();
    assert.equal((await first).status, 200);
  });

  it('leaves a credential that the deletion of the cluster removes', async () => {
    assert.equal((await deleteCluster(colleague, id)).status, 204);

    await eventually(async () => {
      assert.deepEqual(await clusterCredentials(), { leaver: [], colleague: [] });
      return true;
    });
    assert.equal((await replaceCredential(colleague, id)).status, 400);
  });
});
