import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Stack } from '../../scripts/stack.ts';
import { CloudClient } from '../support/clients/cloud-client.ts';
import { CloudsimControl } from '../support/clients/cloudsim-control.ts';
import { GatewayClient, messagesOf } from '../support/clients/gateway-client.ts';
import { openStream } from '../support/clients/sse-client.ts';
import { eventually } from '../support/eventually.ts';
import { createCluster, readCluster } from '../support/lite/clusters.ts';
import { ControlNode } from '../support/lite/control-node.ts';
import { prepareNetwork } from '../support/projects/prepared-cloud.ts';
import { prepareMember } from '../support/projects/prepared-member.ts';
import { requirePasscode } from '../support/projects/second-factor.ts';
import { isRealCloud, startTestStack, testLogin } from '../support/stacks/test-stack.ts';

/** Plugins for which a real cloud needs no optional service. */
const plugins = { block_csi_enabled: true };
const allPlugins = {
  cloud_controller_enabled: true,
  block_csi_enabled: true,
  file_csi_enabled: true,
  lb_ingress_enabled: true,
  secrets_kms_enabled: true,
};

describe('the credential of the plugins of a lite cluster', function () {
  this.timeout(300_000);
  let stack: Stack | undefined;

  afterEach(async () => {
    await stack?.stop();
    stack = undefined;
  });

  async function start(lite: object): Promise<GatewayClient> {
    stack = await startTestStack({
      workers: 1,
      ...(!isRealCloud() && { cloudsimEnv: { CLOUDSIM_DELAY_SCALE: '0.05' } }),
      config: {
        lite: { server_volume_size_gb: 1, ...(await machines()), ...lite },
      },
    });
    return GatewayClient.logIn(stack.url, testLogin('demo'));
  }

  /** The settings of the simulated cloud name its own image and flavors. */
  async function machines(): Promise<object> {
    if (!isRealCloud()) return {};
    const cloud = await CloudClient.logIn(process.env.TEST_CLOUD_AUTH_URL ?? '', testLogin('demo'));
    const { images } = await cloud.call<{ images: { id: string }[] }>('image', 'GET', '/v2/images');
    const { flavors } = await cloud.call<{ flavors: { id: string }[] }>('compute', 'GET', '/flavors');
    return { image: images[0]?.id, server_flavor: flavors[0]?.id, agent_flavor: flavors[0]?.id };
  }

  function control(): CloudsimControl {
    return new CloudsimControl(stack?.cloudsim?.url ?? '');
  }

  function clusterName(): string {
    return `e2e-${randomUUID().slice(0, 8)}`;
  }

  if (!isRealCloud())
    it('fails the creation without machines if a service rejects its access rules', async () => {
      const gateway = await start({ plugins });
      if (!isRealCloud()) await control().set({ refusesAccessRules: true });

      const messages = await createCluster(gateway, { name: clusterName(), agent_count: 0 });

      const last = messages.at(-1);
      assert.deepEqual([last?.step, last?.code], ['failed', 'plugin_unavailable'], last?.error ?? '');
      assert.match(last?.error ?? '', /the compute service refuses .* lite\.limit_credentials/);
      assert.ok(!messages.some(({ step }) => step === 'server_creating'));
      assert.equal((await readCluster(gateway, last?.cluster_id ?? '')).status, 'ERROR');
    });

  if (!isRealCloud())
    it('fails the creation if multi-factor rules refuse it meanwhile', async () => {
      await start({ plugins });
      const { identityUrl = '', url = '' } = stack ?? {};
      const admin = await CloudClient.logIn(identityUrl ?? '', testLogin('admin'));
      const member = await prepareMember(identityUrl ?? '', admin);
      const networks = await control().hold('before', {
        service: 'network',
        operation: 'security_groups.create',
      });
      const gateway = await GatewayClient.logIn(url, member.login);
      const network = await prepareNetwork(member.cloud, clusterName());

      const creation = createCluster(gateway, {
        name: clusterName(),
        agent_count: 0,
        network_id: network.id,
      });
      assert.equal(await networks.waitUntilReached(60_000), 'held');
      await requirePasscode(admin, member.cloud.userId);
      await networks.release();

      const last = (await creation).at(-1);
      assert.deepEqual([last?.step, last?.code], ['failed', 'plugin_unavailable'], last?.error ?? '');
      assert.match(
        last?.error ?? '',
        /administrator of the cloud to add the rule \["application_credential"\]/,
      );
      await eventually(async () => {
        const left = await gateway.read<object[]>('/api/auth/application-credentials');
        return left.length === 0;
      });
    });

  it('is accepted without access rules by such services', async () => {
    const gateway = await start({ plugins, limit_credentials: false });
    if (!isRealCloud()) await control().set({ refusesAccessRules: true });

    await assertReachesMachine(gateway);
  });

  it('is accepted with access rules by other services', async () => {
    await assertReachesMachine(await start({ plugins }));
  });

  /** Creates a cluster up to its machine, which only exists if the credential was accepted. */
  async function assertReachesMachine(gateway: GatewayClient): Promise<void> {
    if (!isRealCloud()) await control().set({ guest: { clusterOutcome: 'silent' } });
    const name = clusterName();

    const stream = await openStream(`${gateway.url}/api/lite/clusters/async`, {
      method: 'POST',
      headers: gateway.headers(),
      body: { name, agent_count: 0 },
    });
    const serverId = await eventually(async () => {
      const servers = await gateway.read<{ id: string; name: string }[]>('/api/instances?refresh=true');
      return servers.find((server) => server.name === `${name}-server`)?.id;
    });
    // The creation ends here.
    const admin = await CloudClient.logIn(stack?.identityUrl ?? '', testLogin('admin'));
    assert.equal(await (await ControlNode.of(admin, serverId)).fails('the test ends'), 200);
    const last = (await messagesOf(stream)).at(-1);

    assert.equal(last?.code, 'lite_install_failed');
  }

  it('is accepted with the key of the cluster alone', async function () {
    if (isRealCloud()) this.skip();
    const gateway = await start({ plugins: { secrets_kms_enabled: true } });

    const messages = await createCluster(gateway, { name: clusterName(), agent_count: 0 });

    assert.equal(messages.at(-1)?.step, 'completed', messages.at(-1)?.error ?? '');
  });

  if (!isRealCloud())
    it('permits one request to every service that the plugins need', async () => {
      const gateway = await start({ plugins: allPlugins });

      const messages = await createCluster(gateway, { name: clusterName(), agent_count: 0 });

      assert.equal(messages.at(-1)?.step, 'completed', messages.at(-1)?.error ?? '');
      const reads = (await control().calls()).filter(({ path }) =>
        /00000000-0000|key-manager\/v1\/secrets\/./.test(path),
      );
      assert.deepEqual(
        reads.map(({ service, method, status }) => [service, method, status]),
        [
          ['compute', 'GET', 404],
          ['network', 'GET', 404],
          ['load-balancer', 'GET', 404],
          ['block-storage', 'GET', 404],
          ['shared-file-system', 'GET', 404],
          ['key-manager', 'GET', 200],
        ],
      );
    });
});
