import assert from 'node:assert/strict';
import { ROUTER_PORTS } from '@gateway/openstack';
import { answers, volumeOf } from '../../support/api/block-storage.ts';
import type { ErrorBody } from '../../support/api/client.ts';
import { computeAnswers } from '../../support/api/compute.ts';
import { instanceRequest, newCaller } from '../../support/api/factories.ts';
import type { FakeCloud } from '../../support/api/fake-cloud.ts';
import { queuedData } from '../../support/api/jobs.ts';
import { networkAnswers } from '../../support/api/network.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';
import { fixtureBody, type ReplyOptions } from '../../support/doubles/upstream.ts';

const ASYNC = '/api/instances/async';
const REQUEST = instanceRequest();
const MISSING = '0a1b2c3d-0000-4000-8000-0000000000ff';
const PORTS = /^\/v2\.0\/ports\?.*network_id=net/;
const NETWORKS = /^\/v2\.0\/networks\?project_id=/;

/** The services' answers that refuse a creation, and the refusal. */
interface Refusal {
  what: string;
  more?: Record<string, unknown>;
  declare(cloud: FakeCloud, projectId: string): void;
  status: number;
  code?: string;
  detail: string;
  field?: string;
}

const flavor = (fields: object) => ({ id: REQUEST.flavor_id, name: 'm1', vcpus: 1, ram: 512, ...fields });

function answersFlavor(cloud: FakeCloud, fields: object = {}) {
  computeAnswers(cloud, `GET /flavors/${REQUEST.flavor_id}`, { flavor: flavor(fields) });
}

function answersQuotas(cloud: FakeCloud, projectId: string, quota: object, options: ReplyOptions = {}) {
  networkAnswers(cloud, `GET /quotas/${projectId}/details.json`, { quota }, options);
}

const refusals: Refusal[] = [
  {
    what: 'a flavor that is not there',
    more: { flavor_id: MISSING },
    declare: (cloud) => cloud.reply('compute/flavor-not-found', { path: `/v2.1/flavors/${MISSING}` }),
    status: 400,
    detail: `Flavor ${MISSING} was not found.`,
    field: 'body.flavor_id',
  },
  {
    what: 'an image that is not there',
    more: { image_id: MISSING },
    declare: (cloud) => cloud.reply('image/image-not-found', { path: `/v2/images/${MISSING}` }),
    status: 400,
    detail: `Image ${MISSING} was not found.`,
    field: 'body.image_id',
  },
  {
    what: 'a key pair that is not there',
    more: { key_name: 'mine' },
    declare: (cloud) =>
      computeAnswers(cloud, 'GET /os-keypairs/mine', { itemNotFound: { message: 'No.' } }, { status: 404 }),
    status: 400,
    detail: 'Key pair "mine" was not found.',
    field: 'body.key_name',
  },
  {
    what: 'a zone that is not there',
    more: { availability_zone: 'nowhere' },
    declare(cloud) {
      cloud.reply('compute/availability-zones');
      answers(cloud, 'GET /os-availability-zone', { availabilityZoneInfo: [] });
    },
    status: 400,
    detail: 'Availability zone "nowhere" was not found.',
    field: 'body.availability_zone',
  },
  {
    what: 'a network that is not there',
    more: { network_id: MISSING },
    declare: (cloud) => cloud.reply('network/network-not-found', { path: `/v2.0/networks/${MISSING}` }),
    status: 400,
    detail: `Network ${MISSING} was not found.`,
    field: 'body.network_id',
  },
  {
    what: 'an external network',
    declare: (cloud) => answersNetwork(cloud, { 'router:external': true, shared: false }),
    more: { network_id: MISSING },
    status: 400,
    detail:
      'The network "net" is external: instances get floating IPs from it and cannot be connected to it.',
    field: 'body.network_id',
  },
  {
    what: 'a network of another project',
    more: { network_id: MISSING },
    declare: (cloud) => answersNetwork(cloud, { project_id: 'another', shared: false }),
    status: 400,
    detail: `Network ${MISSING} was not found.`,
    field: 'body.network_id',
  },
  {
    what: 'a network without a subnet',
    more: { network_id: MISSING },
    declare: (cloud) => answersNetwork(cloud, { subnets: [] }),
    status: 400,
    detail: 'The network "net" has no subnet, so it gives no addresses.',
    field: 'body.network_id',
  },
  {
    what: 'no network where several exist',
    declare(cloud) {
      const networks = ['a', 'b'].map((id) => ({ id, subnets: ['s'] }));
      cloud.reply('network/networks', { path: NETWORKS, body: { networks } });
    },
    status: 400,
    code: 'network_required',
    detail: 'The project has several networks: please name one.',
    field: 'body.network_id',
  },
  {
    what: 'a flavor that is too small for the image',
    declare: (cloud) => answersImage(cloud, { min_ram: 1024 }),
    status: 400,
    detail: 'The image needs 1024 MB of RAM, and the flavor m1.tiny has 512 MB.',
    field: 'body.flavor_id',
  },
  {
    what: 'a boot volume that is too small for the image',
    more: { boot_volume_size_gb: 2 },
    declare: (cloud) => answersImage(cloud, { min_disk: 3 }),
    status: 400,
    detail: 'The image needs a boot volume of at least 3 GB.',
    field: 'body.boot_volume_size_gb',
  },
  {
    what: 'a boot volume that is smaller than the volume of the image',
    more: { boot_volume_size_gb: 29 },
    declare(cloud) {
      const device = { boot_index: 0, source_type: 'snapshot', snapshot_id: 's1', volume_size: 30 };
      answersImage(cloud, { bdm_v2: 'True', block_device_mapping: JSON.stringify([device]) });
    },
    status: 400,
    detail: 'The image needs a boot volume of at least 30 GB.',
    field: 'body.boot_volume_size_gb',
  },
  {
    what: 'a volume that is in use',
    more: { additional_volume_ids: [MISSING] },
    declare(cloud, projectId) {
      const volume = volumeOf(newCaller({ projectId }), { id: MISSING, status: 'in-use' });
      answers(cloud, `GET /volumes/${MISSING}`, { volume });
    },
    status: 409,
    code: 'conflict',
    detail: `Volume ${MISSING} cannot be attached: its status is in-use, not available.`,
  },
  {
    what: 'a full quota of the compute service',
    declare(cloud) {
      const absolute = { maxTotalCores: 2, totalCoresUsed: 2 };
      computeAnswers(cloud, 'GET /limits', { limits: { absolute } });
    },
    status: 409,
    code: 'quota_exceeded',
    detail: 'The quota of the project is exceeded (cores: 1 requested, 2 of 2 in use).',
  },
  {
    what: 'a full quota of shares with the strategy dynamic',
    more: { libraries: ['python311'], strategy: 'dynamic' },
    declare(cloud) {
      const absolute = { maxTotalShares: 1, totalSharesUsed: 1 };
      cloud.reply('shared-file-system/limits', { body: { limits: { absolute } } });
    },
    status: 409,
    code: 'quota_exceeded',
    detail: 'The quota of the project is exceeded (shares: 1 requested, 1 of 1 in use).',
  },
  {
    what: 'a full quota of floating IPs with a route out',
    declare(cloud, projectId) {
      answersQuotas(cloud, projectId, { floatingip: { limit: 1, used: 1, reserved: 0 } });
      const [router] = fixtureBody<{ id: string }[]>('network/routers', 'routers');
      const port = { id: 'p', network_id: 'net', device_id: router?.id, device_owner: ROUTER_PORTS[0] };
      const ports = [{ ...port, fixed_ips: [{ subnet_id: 's', ip_address: '10.0.0.1' }] }];
      cloud
        .reply('network/ports', { path: PORTS, body: { ports } })
        .reply('network/routers', { path: /^\/v2\.0\/routers\?/ });
    },
    status: 409,
    code: 'quota_exceeded',
    detail: 'The quota of the project is exceeded (floating IPs: 1 requested, 1 of 1 in use).',
  },
];

function answersNetwork(cloud: FakeCloud, fields: object) {
  const network = {
    id: MISSING,
    name: 'net',
    shared: true,
    subnets: ['s'],
    'router:external': false,
    ...fields,
  };
  cloud.reply('network/network', { path: `/v2.0/networks/${MISSING}`, body: { network } });
}

function answersImage(cloud: FakeCloud, fields: object) {
  const body = { id: REQUEST.image_id, name: 'i', status: 'active', min_ram: 0, min_disk: 1, ...fields };
  cloud.reply('image/image', { path: `/v2/images/${REQUEST.image_id}`, body });
}

describe('a creation of an instance', () => {
  const suite = apiSuite();

  async function start() {
    const api = await suite.start();
    return { api, caller: suite.cloud.validCaller(newCaller()) };
  }

  for (const { what, more, declare, status, code = 'invalid_input', detail, field } of refusals) {
    it(`is refused before its job for ${what}`, async () => {
      const { api, caller } = await start();
      for (const path of [ASYNC, '/api/instances']) {
        declare(suite.cloud, caller.projectId);
        const body = instanceRequest(more);

        const refused = await api.post<ErrorBody>(path, { as: caller, body });

        assert.deepEqual([refused.status, refused.body.code, refused.body.detail], [status, code, detail]);
        assert.equal(refused.body.errors?.[0]?.field, field);
        assert.equal(refused.headers['x-job-id'], undefined);
      }
      assert.deepEqual(await jobsOf(api), []);
    });
  }

  it('may have a full quota of floating IPs without a route out', async () => {
    const { api, caller } = await start();
    answersQuotas(suite.cloud, caller.projectId, { floatingip: { limit: 1, used: 1, reserved: 0 } });
    suite.cloud.reply('network/ports', { path: PORTS, body: { ports: [] } });

    const stream = await api.stream('POST', ASYNC, { as: caller, body: instanceRequest() });
    stream.close();

    assert.ok(stream.headers.get('x-job-id'));
  });

  it('passes what was found to its job', async () => {
    const { api, caller } = await start();
    answersFlavor(suite.cloud);
    answersImage(suite.cloud, { os_distro: 'ubuntu', os_version: '22.04' });

    const stream = await api.stream('POST', ASYNC, { as: caller, body: instanceRequest() });
    stream.close();

    const { payload } = await queuedData(api, String(stream.headers.get('x-job-id')));
    const { at, ...found } = payload.found as { at: number };
    assert.ok(at > 0);
    assert.deepEqual(found, {
      flavor: { name: 'm1', vcpus: 1, ram: 512, extra_specs: {} },
      bootVolumeSizeGb: 20,
      osVersion: 'ubuntu-22.04',
      networkId: 'net',
      isExternal: false,
      nics: [],
      volumeZone: null,
      areQuotasChecked: true,
    });
  });

  it('leaves the quotas to its job if shares depend on libraries', async () => {
    const { api, caller } = await start();

    const body = instanceRequest({ libraries: ['python311'] });
    const stream = await api.stream('POST', ASYNC, { as: caller, body });
    stream.close();

    const { payload } = await queuedData(api, String(stream.headers.get('x-job-id')));
    assert.equal((payload.found as { areQuotasChecked: boolean }).areQuotasChecked, false);
  });

  for (const [what, options] of [
    ['unavailable', { status: 503, times: 3 }],
    ['slow', { delayMs: 60_000 }],
  ] as const) {
    it(`leaves the check of a service that is ${what} to its job`, async () => {
      const { api, caller } = await start();
      answersImage(suite.cloud, {});
      computeAnswers(suite.cloud, `GET /flavors/${REQUEST.flavor_id}`, {}, options);

      const stream = await api.stream('POST', ASYNC, { as: caller, body: instanceRequest() });
      stream.close();

      const { payload } = await queuedData(api, String(stream.headers.get('x-job-id')));
      assert.equal(payload.found, undefined);
      assert.match(api.log.text(), /A check of a creation is left to its job/);
    });
  }

  it('is not checked again when its request is repeated', async () => {
    const { api, caller } = await start();
    const headers = { 'idempotency-key': 'once' };
    const send = async () => {
      const stream = await api.stream('POST', ASYNC, { as: caller, body: instanceRequest(), headers });
      stream.close();
      return stream.headers.get('x-job-id');
    };
    const first = await send();
    suite.cloud.reply('compute/flavor-not-found', {
      path: `/v2.1/flavors/${REQUEST.flavor_id}`,
      optional: true,
    });

    assert.ok(first);
    assert.equal(await send(), first);
  });
});

async function jobsOf({ context, keyPrefix }: TestApi): Promise<string[]> {
  const keys = await context.redis.queue.keys(`*${keyPrefix}*provisioning:*`);
  return keys.filter((key) => /:[0-9a-f-]{36}$/.test(key));
}
