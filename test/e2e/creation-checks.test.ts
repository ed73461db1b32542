import assert from 'node:assert/strict';
import type { Stack } from '../../scripts/stack.ts';
import { CloudClient, type ResourceIds } from '../support/clients/cloud-client.ts';
import { CloudsimControl } from '../support/clients/cloudsim-control.ts';
import { GatewayClient, type InstanceRequest, messagesOf } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import {
  prepareBareNetwork,
  prepareImage,
  preparePrebuiltShare,
  testLibraries,
} from '../support/projects/prepared-cloud.ts';
import {
  externalNetworkId,
  type PreparedProject,
  prepareProject,
} from '../support/projects/prepared-project.ts';
import { startTestStack, testLogin } from '../support/stacks/test-stack.ts';

interface Refusal {
  detail: string;
  code: string;
  errors?: { field: string; message: string }[];
}

/** Prebuilt libraries with a package in different versions. */
const older = { id: 'creation-older', name: 'Older', version: '1', packages: ['numpy'], depends_on: [] };
const newer = { ...older, id: 'creation-newer', name: 'Newer' };

/** The path of a project's quotas for administrators, by service. */
const quotaPaths = {
  compute: { path: '/os-quota-sets', envelope: 'quota_set' },
  volumev3: { path: '/os-quota-sets', envelope: 'quota_set' },
  sharev2: { path: '/quota-sets', envelope: 'quota_set' },
  network: { path: '/v2.0/quotas', envelope: 'quota' },
} as const;

/** Each limit is one less than the creation requires. The project uses nothing but the router's port. */
const quotas: { service: keyof typeof quotaPaths; quota: string; limit: number; refusal: string }[] = [
  { service: 'compute', quota: 'cores', limit: 0, refusal: 'cores: 1 requested, 0 of 0 in use' },
  { service: 'volumev3', quota: 'volumes', limit: 1, refusal: 'volumes: 2 requested, 0 of 1 in use' },
  { service: 'volumev3', quota: 'gigabytes', limit: 50, refusal: 'gigabytes: 51 requested, 0 of 50 in use' },
  { service: 'sharev2', quota: 'shares', limit: 0, refusal: 'shares: 1 requested, 0 of 0 in use' },
  {
    service: 'sharev2',
    quota: 'gigabytes',
    limit: 19,
    refusal: 'share gigabytes: 20 requested, 0 of 19 in use',
  },
  { service: 'network', quota: 'floatingip', limit: 0, refusal: 'floating IPs: 1 requested, 0 of 0 in use' },
  { service: 'network', quota: 'port', limit: 1, refusal: 'ports: 1 requested, 1 of 1 in use' },
];

describe('a creation is refused before anything is created if', function () {
  this.timeout(300_000);
  let stack: Stack;
  let admin: CloudClient;
  let project: PreparedProject;
  let gateway: GatewayClient;
  let request: InstanceRequest;
  let baseline: ResourceIds;

  before(async () => {
    stack = await startTestStack({
      config: { libraries: [...testLibraries, older, newer], rate_limits: { instance_create: 0 } },
    });
    const identityUrl = stack.identityUrl ?? '';
    admin = await CloudClient.logIn(identityUrl, testLogin('admin'));
    project = await prepareProject(identityUrl, admin);
    gateway = await GatewayClient.logIn(stack.url, project.login);
    request = await gateway.smallInstanceRequest('e2e-refused');
    baseline = await project.cloud.resourceIds();
  });

  after(async () => {
    await project?.remove();
    await stack?.stop();
  });

  for (const { service, quota, limit, refusal } of quotas) {
    it(`a quota is used up: ${refusal}`, async () => {
      await setQuota(service, quota, limit);
      const { status, body } = await create({ ...request, libraries: ['numerics'], strategy: 'dynamic' });
      await setQuota(service, quota, -1);

      assert.deepEqual([status, body.code], [409, 'quota_exceeded'], body.detail);
      assert.equal(body.detail, `The quota of the project is exceeded (${refusal}).`);
      await assertNothingMade();
    });
  }

  it('the new volumes exceed a quota', async () => {
    await setQuota('volumev3', 'gigabytes', 10);
    await setQuota('volumev3', 'volumes', 2);
    const { status, body } = await create({
      ...request,
      new_volumes: [
        { name: 'a', size_gb: 5 },
        { name: 'b', size_gb: 5 },
      ],
    });
    await setQuota('volumev3', 'gigabytes', -1);
    await setQuota('volumev3', 'volumes', -1);

    assert.deepEqual([status, body.code], [409, 'quota_exceeded']);
    assert.equal(
      body.detail,
      'The quota of the project is exceeded (volumes: 3 requested, 0 of 2 in use; gigabytes: 11 requested, 0 of 10 in use).',
    );
    await assertNothingMade();
  });

  it('the network is external: it provides floating IPs, not instances', async () => {
    const { status, body } = await create({ ...request, network_id: await externalNetworkId(admin) });

    assert.deepEqual([status, body.code], [400, 'invalid_input']);
    assert.match(body.detail, /^The network "public" is external/);
    assert.deepEqual(fieldsOf(body), ['body.network_id']);
    await assertNothingMade();
  });

  it('the network belongs to another project, also for an administrator', async () => {
    const administrator = await GatewayClient.logIn(stack.url, testLogin('admin'));

    const { status, body } = await administrator.request<Refusal>('POST', '/api/instances', {
      ...request,
      network_id: project.networkId,
    });

    assert.deepEqual([status, body.code, fieldsOf(body)], [400, 'invalid_input', ['body.network_id']]);
    await assertNothingMade();
  });

  it('the availability zone is unknown to the compute service', async () => {
    const { status, body } = await create({ ...request, availability_zone: 'nowhere' });

    assert.deepEqual([status, body.code], [400, 'invalid_input']);
    assert.equal(body.detail, 'Availability zone "nowhere" was not found.');
    assert.deepEqual(fieldsOf(body), ['body.availability_zone']);
    await assertNothingMade();
  });

  it('the network has no subnet', async () => {
    const network = await prepareBareNetwork(project.cloud);

    const { status, body } = await create({ ...request, network_id: network.id });

    await network.remove();
    assert.deepEqual([status, body.code], [400, 'invalid_input']);
    assert.equal(body.detail, 'The network "bare" has no subnet, so it gives no addresses.');
    assert.deepEqual(fieldsOf(body), ['body.network_id']);
    await assertNothingMade();
  });

  it('the flavor has less memory than the image requires', async () => {
    const image = await prepareImage(project.cloud, { minRam: 513, minDisk: 1 });

    const { status, body } = await create({ ...request, image_id: image.id });

    await image.remove();
    assert.deepEqual([status, body.code], [400, 'invalid_input']);
    assert.equal(body.detail, 'The image needs 513 MB of RAM, and the flavor m1.tiny has 512 MB.');
    assert.deepEqual(body.errors, [{ field: 'body.flavor_id', message: 'must have at least 513 MB of RAM' }]);
    await assertNothingMade();
  });

  it('the boot volume is smaller than the image requires', async () => {
    const image = await prepareImage(project.cloud, { minRam: 0, minDisk: 3 });

    const { status, body } = await create({ ...request, image_id: image.id, boot_volume_size_gb: 2 });

    await image.remove();
    assert.deepEqual([status, body.code], [400, 'invalid_input']);
    assert.equal(body.detail, 'The image needs a boot volume of at least 3 GB.');
    assert.deepEqual(body.errors, [{ field: 'body.boot_volume_size_gb', message: 'must be at least 3' }]);
    await assertNothingMade();
  });

  it('the boot volume is smaller than the volume of the image', async () => {
    const device = { boot_index: 0, source_type: 'snapshot', snapshot_id: 's1', volume_size: 30 };
    const properties = { bdm_v2: 'True', block_device_mapping: JSON.stringify([device]) };
    const image = await prepareImage(project.cloud, { minDisk: 1, properties });

    const { status, body } = await create({ ...request, image_id: image.id, boot_volume_size_gb: 29 });

    await image.remove();
    assert.deepEqual([status, body.code], [400, 'invalid_input']);
    assert.equal(body.detail, 'The image needs a boot volume of at least 30 GB.');
    await assertNothingMade();
  });

  it('if its prebuilt libraries contain a package in different versions', async () => {
    const protocol = { protocol: 'NFS', shareType: 'default' } as const;
    const shares = [
      await preparePrebuiltShare(admin, { library: older, ...protocol, packages: 'numpy==2.1,six==1.17' }),
      await preparePrebuiltShare(admin, { library: newer, ...protocol, packages: 'NumPy==2.2,six==1.17' }),
    ];

    const { status, body } = await create({ ...request, libraries: [older.id, newer.id] });

    for (const share of shares) await share.remove();
    assert.deepEqual([status, body.code], [400, 'invalid_input'], body.detail);
    assert.match(
      body.detail,
      /^The prebuilt libraries contain numpy in different versions: 2\.1 in creation-older; 2\.2 in creation-newer\./,
    );
    assert.deepEqual(fieldsOf(body), ['body.libraries']);
    await assertNothingMade();
  });

  it('but not for a quota of -1, which means unlimited', async () => {
    for (const { service, quota } of quotas) await setQuota(service, quota, -1);

    const stream = await gateway.createInstance({ ...request, libraries: ['numerics'], strategy: 'dynamic' });

    const made = (await messagesOf(stream)).at(-1);
    assert.equal(made?.step, 'COMPLETED', made?.error ?? '');
    assert.equal((await gateway.request('DELETE', `/api/instances/${made.instance_id}`)).status, 204);
    await eventually(async () => {
      assert.deepEqual(await project.cloud.resourceIds(), baseline);
      return true;
    });
  });

  function fieldsOf({ errors }: Refusal): string[] | undefined {
    return errors?.map(({ field }) => field);
  }

  function create(body: object) {
    return gateway.request<Refusal>('POST', '/api/instances', body);
  }

  async function setQuota(service: keyof typeof quotaPaths, quota: string, limit: number): Promise<void> {
    const { path, envelope } = quotaPaths[service];
    await admin.call(service, 'PUT', `${path}/${project.id}`, { [envelope]: { [quota]: limit } });
  }

  async function assertNothingMade(): Promise<void> {
    assert.deepEqual(await project.cloud.resourceIds(), baseline);
    if (stack.cloudsim === null) return;
    const calls = await new CloudsimControl(stack.cloudsim.url).calls();
    const made = calls.filter(({ made, project: of }) => made !== null && of === project.id);
    assert.deepEqual(
      made.map(({ operation }) => operation).filter((operation) => !PREPARED.includes(operation ?? '')),
      [],
    );
  }
});

/** Resources created by the tests, and the delegations of their jobs. */
const PREPARED = ['trusts.create', 'networks.create', 'subnets.create', 'routers.create', 'images.create'];
