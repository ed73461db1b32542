import assert from 'node:assert/strict';
import { kinds } from '@gateway/inventory';
import type { ProjectClient } from '@gateway/openstack';
import { mockUpstream, type Upstream } from '../../support/doubles/upstream.ts';
import { call, recordedIdentity, testCloud } from './cloud.ts';

const ID = '0a1b2c3d-0000-4000-8000-00000000000a';
const OWN = 'a'.repeat(32);
const OTHER = 'b'.repeat(32);

interface Kind {
  /** A recorded response of the service, for its address. */
  fixture: string;
  path: string;
  /** The key of the record, and the key of the project in it. */
  envelope: string;
  projectKey: string;
  /** The calls that remove the resource, with the methods that they use. */
  removals: [method: string, remove: (client: ProjectClient) => Promise<unknown>][];
}

/** What jobs remove and what can be in another project. */
const KINDS: Record<string, Kind> = {
  server: {
    fixture: 'compute/server',
    path: '/servers/',
    envelope: 'server',
    projectKey: 'tenant_id',
    removals: [
      ['DELETE', ({ compute }) => compute.servers.remove(ID)],
      ['POST', ({ compute }) => compute.servers.forceDelete(ID)],
    ],
  },
  volume: {
    fixture: 'block-storage/volume',
    path: '/volumes/',
    envelope: 'volume',
    projectKey: 'os-vol-tenant-attr:tenant_id',
    removals: [
      ['DELETE', ({ blockStorage }) => blockStorage.volumes.remove(ID)],
      ['POST', ({ blockStorage }) => blockStorage.volumes.forceDelete(ID)],
    ],
  },
  snapshot: {
    fixture: 'block-storage/snapshot',
    path: '/snapshots/',
    envelope: 'snapshot',
    projectKey: 'os-extended-snapshot-attributes:project_id',
    removals: [
      ['DELETE', ({ blockStorage }) => blockStorage.snapshots.remove(ID)],
      ['POST', ({ blockStorage }) => blockStorage.snapshots.forceDelete(ID)],
    ],
  },
  backup: {
    fixture: 'block-storage/backup',
    path: '/backups/',
    envelope: 'backup',
    projectKey: 'os-backup-project-attr:project_id',
    removals: [
      ['DELETE', ({ blockStorage }) => blockStorage.backups.remove(ID)],
      ['POST', ({ blockStorage }) => blockStorage.backups.forceDelete(ID)],
    ],
  },
  share: {
    fixture: 'shared-file-system/share',
    path: '/shares/',
    envelope: 'share',
    projectKey: 'project_id',
    removals: [
      ['DELETE', ({ sharedFileSystem }) => sharedFileSystem.shares.remove(ID)],
      ['POST', ({ sharedFileSystem }) => sharedFileSystem.shares.forceDelete(ID)],
    ],
  },
  load_balancer: {
    fixture: 'load-balancer/load-balancer',
    path: '/lbaas/loadbalancers/',
    envelope: 'loadbalancer',
    projectKey: 'project_id',
    removals: [['DELETE', ({ loadBalancer }) => loadBalancer.loadBalancers.removeWithChildren(ID)]],
  },
  port: {
    fixture: 'network/port',
    path: '/ports/',
    envelope: 'port',
    projectKey: 'project_id',
    removals: [['DELETE', ({ network }) => network.ports.remove(ID)]],
  },
  floating_ip: {
    fixture: 'network/floating-ip',
    path: '/floatingips/',
    envelope: 'floatingip',
    projectKey: 'project_id',
    removals: [['DELETE', ({ network }) => network.floatingIps.remove(ID)]],
  },
  security_group: {
    fixture: 'network/port',
    path: '/security-groups/',
    envelope: 'security_group',
    projectKey: 'project_id',
    removals: [['DELETE', ({ network }) => network.securityGroups.remove(ID)]],
  },
};

/** Kinds that cannot be in another project, or that only their own project sees. */
const STAYING = ['image', 'access_rule', 'cluster', 'attachment', 'application_credential', 'node', 'secret'];

describe('a client that is limited to a project', () => {
  let upstream: Upstream;

  beforeEach(() => {
    upstream = mockUpstream();
  });

  afterEach(() => {
    upstream.close();
  });

  it('is tried with every kind that jobs create', () => {
    const tried = [...Object.keys(KINDS), ...STAYING];

    assert.deepEqual(
      Object.keys(kinds).filter((kind) => !tried.includes(kind)),
      [],
    );
  });

  for (const [name, { envelope, fixture, path, projectKey, removals }] of Object.entries(KINDS)) {
    for (const [method, remove] of removals) {
      const how = method === 'POST' ? 'removes by force' : 'removes';
      it(`${how} a ${name} of its project, and none of another`, async () => {
        const administrator = { ...recordedIdentity(), roles: ['admin'] };
        const client = testCloud().openstack.forProject(administrator, call, OWN);
        const isFound = (projectId: string) =>
          upstream.reply(fixture, {
            method: 'GET',
            path: new RegExp(`${path}${ID}$`),
            body: { [envelope]: { id: ID, [projectKey]: projectId } },
          });

        isFound(OTHER);
        await assert.rejects(remove(client), { status: 404 });
        upstream.assertAllUsed();

        isFound(OWN).reply(fixture, { method, path: new RegExp(path + ID), status: 202, body: '' });
        await remove(client);
        upstream.assertAllUsed();
      });
    }
  }
});
