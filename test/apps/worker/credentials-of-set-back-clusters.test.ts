import assert from 'node:assert/strict';
import { GatewayError } from '@gateway/core';
import { credentialHolders, type LiteCluster, nextCredentialName } from '@gateway/lite';
import { createLogger } from '@gateway/platform';
import { findResources } from '../../../apps/worker/src/sagas/delete-lite-cluster/find-resources.ts';
import type { DeleteLiteClusterStepContext } from '../../../apps/worker/src/sagas/delete-lite-cluster/saga.ts';
import { Searches } from '../../../apps/worker/src/sagas/resources/searches.ts';
import type { UpgradeLiteClusterStepContext } from '../../../apps/worker/src/sagas/upgrade-lite-cluster/saga.ts';
import { planUpgrade } from '../../../apps/worker/src/sagas/upgrade-lite-cluster/steps/plan.ts';

const OWN = 'v1.35.6+k3s1';
const NEWER = 'v1.36.2+k3s1';
const logger = createLogger({ level: 'error', format: 'json', service: 'worker' });

/** The record has the credential `recorded` of the user `creator`. */
const cluster = {
  id: '11111111-2222-3333-4444-555555555555',
  name: 'shop',
  userId: 'creator',
  status: 'ACTIVE',
  plugins: ['cloud_controller'],
  pluginStatus: null,
  agents: [],
  heldNumbers: [],
  creationJobId: 'j1',
  serverVmId: null,
  securityGroupId: null,
  credential: { id: 'recorded', userId: 'creator' },
  isCredentialLost: true,
  keyId: null,
  networkId: 'n1',
  fixedIp: null,
  k3sVersion: OWN,
  upgrade: null,
} as unknown as LiteCluster;

describe('the deletion of a cluster whose record lacks its credential', () => {
  const nameOf = (jobId: string) => nextCredentialName(cluster, jobId);
  const credentials: Record<string, { id: string; name: string }[]> = {
    creator: [{ id: 'recorded', name: nameOf('j1') }],
    deleter: [
      { id: 'later', name: nameOf('j2') },
      { id: 'maker', name: `${nameOf('j3')}-creation` },
      { id: 'of another cluster', name: 'lite-shop-66666666-2222-3333-4444-555555555555-j4' },
      { id: 'own', name: 'lite-shop' },
    ],
  };

  async function found(list: (userId: string) => Promise<object[]>) {
    const none = { list: async () => [] };
    const client = {
      compute: { servers: none },
      network: { floatingIps: none, ports: none, securityGroups: none },
      blockStorage: { volumes: none },
    };
    const context = {
      projectId: 'p1',
      state: { cluster },
      logger,
      signal: new AbortController().signal,
      remover: () => client,
      requesterId: 'deleter',
      undelegatedOwner: () => ({ identity: { applicationCredentials: { list } } }),
    } as unknown as DeleteLiteClusterStepContext;
    const searches = new Searches(context);
    const { credentials: taken } = await findResources(context, searches);
    return { taken: taken.map(({ id, userId }) => `${id} of ${userId}`), left: searches.left };
  }

  it('also removes that which the deleting user has made for it', async () => {
    assert.deepEqual(await found(async (userId) => credentials[userId] ?? []), {
      taken: ['recorded of creator', 'later of deleter'],
      left: [],
    });
  });

  it('removes the recorded one if no others can be searched for', async () => {
    const { taken, left } = await found(async () => {
      throw new Error('unavailable');
    });

    assert.deepEqual(taken, ['recorded of creator']);
    assert.deepEqual(
      left.map(({ type }) => type),
      ['application_credential'],
    );
  });
});

describe('the upgrade of a cluster whose record has an older credential', () => {
  /** Plans an upgrade of a cluster whose secrets contain a credential; null for missing secrets. */
  async function plan(version: string, credentialId: string | null) {
    const recorded: object[] = [];
    const { secrets } = credentialHolders(cluster.plugins);
    assert.ok(secrets.length > 0);
    const api = {
      listNodes: async () => [{ name: 'shop-server', ready: true, kubeletVersion: OWN }],
      readSecret: async () =>
        credentialId === null
          ? null
          : { 'cloud.conf': `id=${credentialId} secret=secret of ${credentialId}` },
      close: () => {},
    };
    const network = { id: 'n1', name: 'net', 'router:external': true };
    const subnets = [{ id: 's1', cidr: '10.1.0.0/24', ip_version: 4 }];
    const context = {
      clusterId: cluster.id,
      config: {
        lite: {
          k3s: { version: NEWER, upgradeVersions: [] },
          podCidr: '10.42.0.0/16',
          serviceCidr: '10.43.0.0/16',
        },
        instances: {},
        timeLimits: { stepRetrySeconds: 1 },
      },
      input: { version },
      kubernetes: async () => api,
      liteClusters: {
        read: async () => cluster,
        readSecret: async () => 'secret of recorded',
        update: async (_cluster: object, change: object) => recorded.push(change) > 0,
      },
      owner: () => ({
        network: { networks: { get: async () => network }, subnets: { list: async () => subnets } },
      }),
    } as unknown as UpgradeLiteClusterStepContext;
    const result = await planUpgrade.run(context).catch((error: unknown) => error);
    return { result, recorded };
  }

  it('is 409 with the way out, and changes nothing', async () => {
    const { result, recorded } = await plan(NEWER, 'later');

    assert.ok(result instanceof GatewayError, String(result));
    assert.deepEqual([result.status, result.conflictReason], [409, 'changed_meanwhile']);
    assert.match(result.message, /An upgrade of the cluster to its own release, v1\.35\.6\+k3s1, writes/);
    assert.deepEqual(recorded, []);
  });

  it('is possible to its own release, without a wait for the plugins', async () => {
    const { result, recorded } = await plan(OWN, 'later');

    assert.deepEqual(recorded, [{ upgrade: { version: OWN } }]);
    const { upgradePlan } = result as { upgradePlan: { plugins: { working: string[] } } };
    assert.deepEqual(upgradePlan.plugins.working, []);
  });

  it('is possible while the secrets have its credential, or are missing', async () => {
    for (const credentialId of ['recorded', null]) {
      assert.deepEqual((await plan(NEWER, credentialId)).recorded, [{ upgrade: { version: NEWER } }]);
    }
  });
});
