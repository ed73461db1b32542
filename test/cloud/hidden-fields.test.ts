import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DashboardSummary, Flavor, InstanceDetail } from '@gateway/resources';
import { eventually } from '../support/eventually.ts';
import { NetworkProject } from '../support/projects/network-project.ts';
import type { Prepared } from '../support/projects/prepared-cloud.ts';

const FOLDER = process.env.TESTCLOUD_POLICY_FOLDER ?? '';

const LISTS = [
  '/api/flavors',
  '/api/instances',
  '/api/volumes',
  '/api/networks',
  '/api/networks/topology',
  '/api/volume-snapshots',
  '/api/security-groups',
  '/api/dashboard/summary',
  '/api/user-dashboard',
];

/** The rules name the project of the suite, so that all others who use the cloud notice nothing. */
describe('a cloud whose policies hide fields from members', function () {
  this.timeout(300_000);
  let project: NetworkProject;
  let networkId: string;
  let server: Prepared;
  let restore: (() => Promise<void>) | undefined;

  before(async function () {
    if (FOLDER === '') {
      console.log('TESTCLOUD_POLICY_FOLDER does not name the folder of the policy files');
      this.skip();
    }
    project = await NetworkProject.start({ startsJobs: true });
    ({ networkId } = await project.makeSubnet('10.96.0.0/24', 'hidden'));
    server = await project.makeServer(networkId);
    const others = `not project_id:${project.id}`;
    // The network service compares the caller's project with fields of the resource only.
    const ofOthers = `not '${project.id}':%(project_id)s`;
    restore = await changePolicies(FOLDER, {
      nova: { 'os_compute_api:os-flavor-extra-specs:index': others },
      cinder: {
        'volume_extension:volume_tenant_attribute': others,
        'volume_extension:volume_image_metadata': others,
        'volume_extension:extended_snapshot_attributes': others,
      },
      neutron: {
        'get_port:device_owner': ofOthers,
        'get_network:mtu': ofOthers,
        'get_floatingip:port_details': ofOthers,
      },
    });
    // The service has read the rules once they show.
    await eventually(async () => {
      const { flavors } = await project.cloud.call<{ flavors: object[] }>(
        'compute',
        'GET',
        '/flavors/detail',
      );
      const network = await project.direct<object>('GET', `/networks/${networkId}`);
      return [...flavors, network].every((row) => !('extra_specs' in row || 'mtu' in row));
    });
  });

  after(async () => {
    await restore?.();
    await server?.remove();
    await project?.remove();
  });

  for (const path of LISTS) {
    it(`still serves ${path}, as the contract describes it`, async () => {
      const { status, text } = await project.ask('GET', `${path}?refresh=true`);
      assert.equal(status, 200, text);
    });
  }

  it('has flavors without extra specs', async () => {
    const { body } = await project.ask<Flavor[]>('GET', '/api/flavors?refresh=true');

    assert.ok(body.length > 0);
    assert.ok(body.every(({ extra_specs }) => Object.keys(extra_specs).length === 0));
    const { body: detail } = await project.ask<InstanceDetail>('GET', `/api/instances/${server.id}`);
    assert.equal(detail.gpu_count, 0);
    const { body: summary } = await project.ask<DashboardSummary>('GET', '/api/dashboard/summary');
    assert.deepEqual([summary.instances?.active, summary.unavailable], [1, []]);
  });

  it('creates and deletes an instance', async () => {
    const body = { ...(await project.mine.smallInstanceRequest('hidden')), network_id: networkId };

    const made = await project.ask<InstanceDetail>('POST', '/api/instances', body);

    assert.equal(made.status, 201, made.text);
    const path = `/api/instances/${made.body.id}`;
    assert.equal((await project.ask('DELETE', path)).status, 204);
    await eventually(async () => (await project.ask('GET', path)).status === 404);
  });

  it('creates and deletes a volume', async () => {
    const made = await project.ask<{ id: string }>('POST', '/api/volumes', { name: 'hidden', size_gb: 1 });
    assert.equal(made.status, 201, made.text);
    const path = `/api/volumes/${made.body.id}`;
    await eventually(async () => {
      const { status } = await project.ask('DELETE', path);
      return status === 204;
    });
    await eventually(async () => (await project.ask('GET', path)).status === 404);
  });
});

/** Rules of a service that differ from its defaults, by service. */
type Rules = Record<string, Record<string, string>>;

/**
 * Writes rules into the policy files of the services, which read them again at once, and returns a function
 * that puts the files back.
 *
 * @param folder has `<service>/policy.yaml` for each service
 */
async function changePolicies(folder: string, rules: Rules): Promise<() => Promise<void>> {
  const files = Object.entries(rules).map(([service, own]) => ({
    path: join(folder, service, 'policy.yaml'),
    text: JSON.stringify(own),
  }));
  const before = await Promise.all(files.map(({ path }) => readFile(path, 'utf8')));
  await Promise.all(files.map(({ path, text }) => writeFile(path, text)));
  return async () => {
    await Promise.all(files.map(({ path }, index) => writeFile(path, before[index] ?? '{}\n')));
  };
}
