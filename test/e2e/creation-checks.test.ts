import assert from 'node:assert/strict';
import type { Stack } from '../../scripts/stack.ts';
import type { ErrorBody } from '../support/api/client.ts';
import { CloudClient, type ResourceIds } from '../support/clients/cloud-client.ts';
import { CloudsimControl } from '../support/clients/cloudsim-control.ts';
import { GatewayClient, type InstanceRequest, messagesOf } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { testLibraries } from '../support/projects/prepared-cloud.ts';
import { type PreparedProject, prepareProject } from '../support/projects/prepared-project.ts';
import { startTestStack, testLogin } from '../support/stacks/test-stack.ts';

/** The path of a project's quotas for administrators, by service. */
const quotaPaths = {
  compute: { path: '/os-quota-sets', envelope: 'quota_set' },
  volumev3: { path: '/os-quota-sets', envelope: 'quota_set' },
  sharev2: { path: '/quota-sets', envelope: 'quota_set' },
  network: { path: '/v2.0/quotas', envelope: 'quota' },
} as const;

/**
 * Each limit is one less than the creation requires. The project uses nothing but the router's port. Api
 * tests have the other quotas.
 */
const quotas: { service: keyof typeof quotaPaths; quota: string; limit: number; refusal: string }[] = [
  {
    service: 'sharev2',
    quota: 'gigabytes',
    limit: 0,
    refusal: 'share gigabytes: 1 requested, 0 of 0 in use',
  },
  { service: 'network', quota: 'port', limit: 1, refusal: 'ports: 1 requested, 1 of 1 in use' },
];

/** What a creation with a library of its own uses of each service. */
const counted = [
  ['compute', 'cores'],
  ['volumev3', 'volumes'],
  ['volumev3', 'gigabytes'],
  ['sharev2', 'shares'],
  ['sharev2', 'gigabytes'],
  ['network', 'floatingip'],
  ['network', 'port'],
] as const;

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
      config: {
        libraries: testLibraries,
        instances: { dynamic_share_size_gb: 1 },
      },
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

  it('but not for a quota of -1, which means unlimited', async () => {
    for (const [service, quota] of counted) await setQuota(service, quota, -1);

    const stream = await gateway.createInstance({ ...request, libraries: ['numerics'], strategy: 'dynamic' });

    const made = (await messagesOf(stream)).at(-1);
    assert.equal(made?.step, 'COMPLETED', made?.error ?? '');
    assert.equal((await gateway.request('DELETE', `/api/instances/${made.instance_id}`)).status, 204);
    await eventually(async () => {
      assert.deepEqual(await project.cloud.resourceIds(), baseline);
      return true;
    });
  });

  function create(body: object) {
    return gateway.request<ErrorBody>('POST', '/api/instances', body);
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

/** The network of the project, and the delegations of jobs. */
const PREPARED = ['trusts.create', 'networks.create', 'subnets.create', 'routers.create'];
