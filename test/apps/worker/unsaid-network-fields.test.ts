import assert from 'node:assert/strict';
import { jobDescription } from '@gateway/core';
import { findPorts } from '@gateway/inventory';
import type { LiteCluster } from '@gateway/lite';
import { type BoundClient, floatingIpRecord, type ProjectClient, portRecord } from '@gateway/openstack';
import { createLogger } from '@gateway/platform';
import { readProjectContents } from '@gateway/resources';
import { findAssociatedResources } from '../../../apps/worker/src/sagas/delete-instance/steps/look-up.ts';
import { findResources } from '../../../apps/worker/src/sagas/delete-lite-cluster/find-resources.ts';
import type { DeleteLiteClusterStepContext } from '../../../apps/worker/src/sagas/delete-lite-cluster/saga.ts';
import { Searches } from '../../../apps/worker/src/sagas/resources/searches.ts';
import { asRecord } from '../../support/doubles/as-record.ts';

const JOB = '0a1b2c3d-0000-4000-8000-000000000001';
const marked = { project_id: 'p1', description: jobDescription(JOB) };
const free = { ...marked, device_id: '', device_owner: '' };

const ports = [
  { ...free, id: 'free' },
  { ...free, id: 'of-the-server', device_id: 'vm' },
  { ...free, id: 'used', device_id: 'another' },
  { ...free, id: 'unsaid-user', device_id: null },
  { ...free, id: 'unsaid-project', project_id: null },
  { id: 'unsaid-mark', project_id: 'p1', device_id: '' },
].map((row) => asRecord(portRecord, row));

const floatingIps = [
  { ...marked, id: 'free', port_id: null },
  { ...marked, id: 'of-the-server', port_id: 'of-the-server' },
  { ...marked, id: 'used', port_id: 'of-another' },
  { ...marked, id: 'unsaid-port' },
  { ...marked, id: 'unsaid-project', project_id: null, port_id: null },
  { id: 'unsaid-mark', project_id: 'p1', port_id: null },
].map((row) => asRecord(floatingIpRecord, row));

const TAKEN = ['free', 'of-the-server'];

describe('what does not say that it is free', () => {
  it('is not removed with an instance', async () => {
    // As the look-ups do, which find rows by what they say.
    const lookups = {
      ports: async (filter: 'description' | 'device_id', value: string) =>
        ports.filter((port) => port[filter] === value),
      floatingIps: async (projectId: string) =>
        floatingIps.filter(({ project_id }) => project_id === projectId),
    };
    const context = {
      instanceId: 'vm',
      since: Date.now(),
      config: { jobs: { lateCallSeconds: 1 }, services: { sharedFs: false } },
      server: {
        projectId: 'p1',
        metadata: { gateway_job_id: JOB },
        volumeIds: [],
        readAt: Date.now(),
        createdAt: '2026-05-01T00:00:00Z',
      },
      owner: () => ({ lookups, blockStorage: { volumes: { list: async () => [] } } }),
    };

    const { associated } = await findAssociatedResources.run(
      context as unknown as Parameters<typeof findAssociatedResources.run>[0],
    );

    assert.deepEqual(associated?.portIds, TAKEN);
    assert.deepEqual(associated?.floatingIpIds, TAKEN);
  });

  it('is not removed with a cluster', async () => {
    const none = { list: async () => [] };
    const client = {
      compute: { servers: none },
      network: {
        ports: { list: async () => ports },
        floatingIps: { list: async () => floatingIps },
        securityGroups: none,
      },
      blockStorage: { volumes: none },
    };
    const cluster = {
      id: 'c1',
      name: 'shop',
      plugins: [],
      agents: [],
      serverVmId: 'vm',
      creationJobId: JOB,
      createdAt: 0,
      securityGroupId: null,
      credential: { id: 'credential', userId: 'user' },
      keyId: null,
    } as unknown as LiteCluster;
    const context = {
      projectId: 'p1',
      state: { cluster },
      logger: createLogger({ level: 'error', format: 'json', service: 'worker' }),
      remover: () => client as unknown as ProjectClient,
    } as unknown as DeleteLiteClusterStepContext;

    const found = await findResources(context, new Searches(context));

    assert.deepEqual(found.portIds, TAKEN);
    assert.deepEqual(found.floatingIpIds, TAKEN);
  });

  it('is not removed with its project', async () => {
    const network = {
      ports: {
        listFields: async () => [
          ...ports,
          asRecord(portRecord, { ...free, id: 'unsaid-owner', device_owner: null }),
        ],
      },
      floatingIps: {
        listFields: async (_: unknown, present: (row: object) => object) => floatingIps.map(present),
      },
    };
    const read = async (type: 'floating_ip' | 'port') =>
      (await readProjectContents({ network } as unknown as BoundClient, 'p1', [type])).map(({ id }) => id);

    assert.deepEqual(await read('port'), ['free', 'of-the-server', 'used', 'unsaid-user']);
    assert.deepEqual(await read('floating_ip'), [
      'free',
      'of-the-server',
      'used',
      'unsaid-port',
      'unsaid-mark',
    ]);
  });
});

describe('a search for a marked port', () => {
  const mark = { jobId: JOB, projectId: 'p1' };
  const among = (found: typeof ports) =>
    findPorts({ network: { ports: { list: async () => found } } } as unknown as BoundClient, 'web', mark);

  it('fails if a port of the project does not say its mark', async () => {
    await assert.rejects(among(ports), { status: 502 });
  });

  it('finds those with the mark', async () => {
    const found = await among(ports.filter(({ description }) => description !== null));
    assert.deepEqual(
      found.map(({ id }) => id),
      ['free', 'of-the-server', 'unsaid-user', 'used'],
    );
  });
});
