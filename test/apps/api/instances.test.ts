import assert from 'node:assert/strict';
import { instanceList } from '@gateway/resources';
import { answers, volumeOf } from '../../support/api/block-storage.ts';
import type { ErrorBody } from '../../support/api/client.ts';
import { instanceRequest, newCaller, tokenBodyWithout } from '../../support/api/factories.ts';
import { queuedData } from '../../support/api/jobs.ts';
import { allStoredData, cacheTtl } from '../../support/api/stored-data.ts';
import { apiSuite } from '../../support/api/suite.ts';
import { fixture, fixtureBody } from '../../support/doubles/upstream.ts';

interface ServerRow {
  id: string;
  name: string;
  status: string;
  image: { id: string } | '';
  flavor: { original_name: string };
  metadata: Record<string, string>;
  'os-extended-volumes:volumes_attached': { id: string }[];
}

interface InstanceRow {
  id: string;
  image_id: string | null;
  image_name: string | null;
  flavor_id: string | null;
  flavor_name: string;
  ip_addresses: { addr: string; type: string; network_name: string }[];
  [field: string]: unknown;
}

describe('GET /api/instances', () => {
  const suite = apiSuite();

  /** The upstream calls of the list, for any number of rows. */
  function readable(servers?: object[]): void {
    suite.cloud
      .reply('compute/servers', servers === undefined ? {} : { body: { servers } })
      .reply('block-storage/volumes')
      .reply('compute/flavors')
      .reply('image/images');
  }

  it('lists the servers with the names of image and flavor', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    readable();

    const answer = await api.get<InstanceRow[]>('/api/instances', { as: caller });

    const servers = fixtureBody<ServerRow[]>('compute/servers', 'servers');
    const images = fixtureBody<{ id: string; name: string }[]>('image/images', 'images');
    const flavors = fixtureBody<{ id: string; name: string }[]>('compute/flavors', 'flavors');
    assert.deepEqual(
      answer.body.map(({ id, flavor_name }) => ({ id, flavor_name })),
      servers.map(({ id, flavor }) => ({ id, flavor_name: flavor.original_name })),
    );
    for (const [index, server] of servers.entries()) {
      const row = answer.body[index];
      const flavor = flavors.find(({ name }) => name === server.flavor.original_name);
      assert.equal(row?.flavor_id, flavor?.id ?? null);
      if (server.image === '') continue;
      const { id } = server.image;
      assert.equal(row?.image_id, id);
      assert.equal(row?.image_name, images.find((image) => image.id === id)?.name);
    }
  });

  it('takes the image of a server from its boot volume', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    readable();

    const answer = await api.get<InstanceRow[]>('/api/instances', { as: caller });

    const servers = fixtureBody<ServerRow[]>('compute/servers', 'servers');
    const booted = servers.find(({ image }) => image === '');
    assert.ok(booted, 'the recorded list has such a server');
    const row = answer.body.find(({ id }) => id === booted.id);
    const [attached] = booted['os-extended-volumes:volumes_attached'];
    const volumes = fixtureBody<
      { id: string; volume_image_metadata?: { image_id: string; image_name: string } }[]
    >('block-storage/volumes', 'volumes');
    const metadata = volumes.find(({ id }) => id === attached?.id)?.volume_image_metadata;
    assert.ok(metadata, 'the recorded volume has its image');
    assert.equal(row?.image_id, metadata.image_id);
    assert.equal(row?.image_name, metadata.image_name);
  });

  it('makes the same number of calls for any number of rows', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const [server] = fixtureBody<ServerRow[]>('compute/servers', 'servers');
    readable(Array.from({ length: 100 }, (_, index) => ({ ...server, id: `server-${index}` })));

    const answer = await api.get<InstanceRow[]>('/api/instances', { as: caller });

    assert.equal(answer.body.length, 100);
    assert.equal(suite.cloud.calls().length, 1 + 4);
  });

  it('omits image names while the block storage service is unavailable', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud
      .reply('compute/servers')
      .reply('block-storage/volumes', { status: 500, body: {} })
      .reply('compute/flavors')
      .reply('image/images');

    const answer = await api.get<InstanceRow[]>('/api/instances', { as: caller });

    assert.equal(answer.status, 200);
    const servers = fixtureBody<ServerRow[]>('compute/servers', 'servers');
    assert.deepEqual(
      answer.body.map(({ id }) => id),
      servers.map(({ id }) => id),
    );
  });

  for (const [service, unavailable, readAgain] of [
    ['image', 'image/images', ['image/images']],
    ['block storage', 'block-storage/volumes', []],
  ] as const) {
    it(`keeps a list without ${service} data only as briefly as a transition`, async () => {
      // A list in transition is not kept here, the others for an hour.
      const cache = {
        instances_seconds: 3600,
        images_seconds: 3600,
        flavors_seconds: 3600,
        transition_seconds: 0,
      };
      const api = await suite.start({ settings: { cache } });
      const caller = suite.cloud.validCaller(newCaller());
      const [server] = fixtureBody<(ServerRow & { status: string })[]>('compute/servers', 'servers').filter(
        ({ status }) => status === 'ACTIVE',
      );
      assert.ok(server, 'the recorded list has a server that does not change');
      const body = { servers: [server] };
      for (const each of ['block-storage/volumes', 'compute/flavors', 'image/images']) {
        suite.cloud.reply(each, each === unavailable ? { status: 500, body: {} } : {});
      }
      suite.cloud.reply('compute/servers', { body });
      await api.get('/api/instances', { as: caller });
      suite.cloud.reply('compute/servers', { body }).reply('block-storage/volumes');
      for (const each of readAgain) suite.cloud.reply(each);

      const complete = await api.get<InstanceRow[]>('/api/instances', { as: caller });
      const cached = await api.get<InstanceRow[]>('/api/instances', { as: caller });

      assert.notEqual(complete.body[0]?.image_name, null);
      assert.equal(cached.text, complete.text);
    });
  }

  it('is complete in a cloud without block storage', async () => {
    const api = await suite.start({
      settings: { cache: { instances_seconds: 3600, transition_seconds: 0 } },
    });
    const caller = newCaller();
    const servers = fixtureBody<(ServerRow & { status: string })[]>('compute/servers', 'servers');
    suite.cloud
      .acceptsToken(caller, { body: tokenBodyWithout(caller, 'block-storage', 'volumev3') })
      .reply('compute/servers', { body: { servers: servers.filter(({ status }) => status === 'ACTIVE') } })
      .reply('compute/flavors')
      .reply('image/images');

    const answer = await api.get<InstanceRow[]>('/api/instances', { as: caller });
    const cached = await api.get<InstanceRow[]>('/api/instances', { as: caller });

    assert.equal(answer.status, 200);
    assert.notEqual(answer.body.length, 0);
    assert.equal(cached.text, answer.text);
  });

  it('takes flavors and images from their caches', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('compute/flavors').reply('image/images');
    await api.get('/api/flavors', { as: caller });
    await api.get('/api/images', { as: caller });
    suite.cloud.reply('compute/servers').reply('block-storage/volumes');

    const answer = await api.get<InstanceRow[]>('/api/instances', { as: caller });

    assert.equal(answer.status, 200);
    assert.ok(answer.body.some(({ image_name }) => image_name !== null));
  });

  it('shows the layers of an instance from its metadata', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const [server] = fixtureBody<ServerRow[]>('compute/servers', 'servers');
    const metadata = {
      overlay_libraries: 'python-base,torch',
      overlay_strategy: 'prebuilt',
      overlay_share_ids: 's-1,s-2',
      overlay_upper_volume_id: 'v-1',
    };
    readable([
      { ...server, metadata },
      { ...server, id: 'plain', metadata: {} },
    ]);

    const answer = await api.get<InstanceRow[]>('/api/instances', { as: caller });

    const overlays = answer.body.map((row) => [
      row.overlay_libraries,
      row.overlay_strategy,
      row.overlay_share_ids,
      row.overlay_upper_volume_id,
    ]);
    assert.deepEqual(overlays, [
      [['python-base', 'torch'], 'prebuilt', ['s-1', 's-2'], 'v-1'],
      [[], null, [], null],
    ]);
    assert.deepEqual(answer.body[0]?.metadata, metadata);
  });

  it('is cached for fifteen seconds', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    readable();

    await api.get('/api/instances', { as: caller });

    const left = await cacheTtl(api, instanceList, caller);
    assert.ok(left > 10 && left <= 15, String(left));
  });

  for (const [what, change] of [
    ['is being deleted', { status: 'ACTIVE', task_state: 'deleting' }],
    ['is being built', { status: 'BUILD', task_state: null }],
  ] as const) {
    it(`is cached for a second while an instance ${what}, per Cache-Control`, async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());
      const [first, ...others] = fixtureBody<ServerRow[]>('compute/servers', 'servers');
      const changing = {
        status: change.status,
        'OS-EXT-STS:task_state': change.task_state,
        updated: new Date().toISOString(),
      };
      readable([{ ...first, ...changing }, ...others]);

      const answer = await api.get<InstanceRow[]>('/api/instances', { as: caller });

      assert.ok((await cacheTtl(api, instanceList, caller)) <= 1);
      const [row] = answer.body;
      assert.deepEqual({ status: row?.status, task_state: row?.task_state }, change);
    });
  }
});

describe('GET /api/instances/{instance_id}', () => {
  const suite = apiSuite();

  it('returns all details of a server', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const server = fixtureBody<ServerRow>('compute/server', 'server');
    suite.cloud.reply('compute/server').reply('compute/flavors').reply('image/images');

    const answer = await api.get<InstanceRow>(`/api/instances/${server.id}`, { as: caller });

    assert.equal(answer.status, 200);
    const { body } = answer;
    assert.equal(body.id, server.id);
    assert.deepEqual(
      body.ip_addresses.map(({ type, network_name }) => `${type} ${network_name}`),
      ['fixed record-net', 'floating record-net'],
    );
    assert.deepEqual(
      { power_state: body.power_state, task_state: body.task_state, fault: body.fault, vcpus: body.vcpus },
      { power_state: 1, task_state: null, fault: null, vcpus: 1 },
    );
    assert.deepEqual(body.security_groups, ['default']);
    assert.deepEqual(
      body.volume_ids,
      server['os-extended-volumes:volumes_attached'].map(({ id }) => id),
    );
    assert.match(String(body.launched_at), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  });

  it('returns the reason for a failed server', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const server = fixtureBody<ServerRow & { fault: { code: number; message: string } }>(
      'compute/server-failed',
      'server',
    );
    suite.cloud.reply('compute/server-failed').reply('compute/flavors').reply('image/images');

    const answer = await api.get<InstanceRow>(`/api/instances/${server.id}`, { as: caller });

    assert.equal(answer.body.status, 'ERROR');
    assert.deepEqual(answer.body.fault, { code: server.fault.code, message: server.fault.message });
  });

  it('takes the image from the boot volume, even if that disappears', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const server = fixtureBody<ServerRow>('compute/server-from-volume', 'server');
    const path = `/api/instances/${server.id}`;
    const volumePath = `${fixture('block-storage/volumes').request.path.replace('/detail', '')}/${
      server['os-extended-volumes:volumes_attached'][0]?.id
    }`;
    suite.cloud
      .reply('compute/server-from-volume', { times: 2 })
      .reply('compute/flavors')
      .reply('block-storage/volume', { path: volumePath })
      .reply('block-storage/volume-not-found', { path: volumePath });

    const answer = await api.get<InstanceRow>(path, { as: caller });
    const untold = await api.get<InstanceRow>(path, { as: caller });

    const metadata = fixtureBody<{ volume_image_metadata: { image_id: string } }>(
      'block-storage/volume',
      'volume',
    );
    assert.equal(answer.body.image_id, metadata.volume_image_metadata.image_id);
    assert.equal(untold.status, 200);
    assert.equal(untold.body.image_id, null);
  });

  for (const [service, server, related] of [
    ['block storage', 'compute/server-from-volume', 'block-storage/volume'],
    ['image', 'compute/server', 'image/images'],
  ] as const) {
    it(`has no image name while the ${service} service is unavailable`, async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());
      const { id, image } = fixtureBody<ServerRow>(server, 'server');
      const path =
        related === 'image/images' ? fixture(related).request.path : /\/v3\/[^/]+\/volumes\/[^/]+$/;
      suite.cloud.reply(server).reply('compute/flavors').reply(related, { path, status: 500, body: {} });

      const { body, status } = await api.get<InstanceRow>(`/api/instances/${id}`, { as: caller });

      assert.equal(status, 200);
      assert.deepEqual([body.image_id, body.image_name], [image === '' ? null : image.id, null]);
    });
  }

  it('is 404 if the compute service has no such server', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const { path } = fixture('compute/server-not-found').request;
    suite.cloud.reply('compute/flavors');
    await api.get('/api/flavors', { as: caller });
    suite.cloud.reply('compute/server-not-found');

    const answer = await api.get<ErrorBody>(`/api${path.replace('/v2.1/servers', '/instances')}`, {
      as: caller,
    });

    assert.equal(answer.status, 404);
    assert.equal(answer.body.code, 'not_found');
    assert.equal(answer.body.upstream?.service, 'compute');
  });
});

describe('POST /api/instances/async', () => {
  const suite = apiSuite();

  it('is 400 in plain JSON for an unknown library', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());

    const answer = await api.post<ErrorBody>('/api/instances/async', {
      as: caller,
      body: instanceRequest({ libraries: ['no-such-library'] }),
    });

    assert.equal(answer.status, 400);
    assert.match(answer.body.detail, /no-such-library/);
  });

  it('is 400 for libraries that cannot be used together', async () => {
    const libraries = [
      { id: 'old', name: 'Frames', version: '1', packages: [] },
      { id: 'new', name: 'Frames', version: '2', packages: [] },
    ];
    const api = await suite.start({ settings: { libraries } as never });
    const caller = suite.cloud.validCaller(newCaller());
    const body = instanceRequest({ libraries: ['old', 'new'] });

    for (const path of ['/api/instances', '/api/instances/async']) {
      const answer = await api.post<ErrorBody>(path, { as: caller, body });

      assert.equal(answer.status, 400);
      const message = 'Frames is requested in several versions: 1, 2.';
      assert.deepEqual(answer.body.errors, [{ field: 'body.libraries', message }]);
      assert.equal(answer.body.detail, message);
    }
  });

  it('is 400 for libraries without file storage', async () => {
    const api = await suite.start({ settings: { services: { shared_fs: false } } });
    const caller = suite.cloud.validCaller(newCaller());

    const answer = await api.post<ErrorBody>('/api/instances/async', {
      as: caller,
      body: instanceRequest({ libraries: ['python-base'] }),
    });

    assert.equal(answer.status, 400);
    assert.deepEqual(
      answer.body.errors?.map(({ field }) => field),
      ['body.libraries'],
    );
  });

  const VOLUME = '0a1b2c3d-0000-4000-8000-00000000000';
  const badBodies: [what: string, body: Record<string, unknown>, field: string][] = [
    ['a name with an emoji, which the compute service refuses', { name: 'web 😀' }, 'name'],
    ['a name with an invisible joiner', { name: 'web\u200dserver' }, 'name'],
    [
      'a volume named twice',
      { additional_volume_ids: [`${VOLUME}1`, `${VOLUME}1`] },
      'additional_volume_ids',
    ],
    [
      'too many volumes',
      { additional_volume_ids: Array.from({ length: 11 }, (_, index) => `${VOLUME}${index}`) },
      'additional_volume_ids',
    ],
    ['a volume that is no id', { additional_volume_ids: ['../x'] }, 'additional_volume_ids'],
    ['a new volume without a size', { new_volumes: [{ name: 'data' }] }, 'new_volumes'],
    ['a new volume without a name', { new_volumes: [{ size_gb: 1 }] }, 'new_volumes'],
    ['a new volume of no size', { new_volumes: [{ name: 'data', size_gb: 0 }] }, 'new_volumes'],
    [
      'too many new volumes',
      { new_volumes: Array.from({ length: 11 }, () => ({ name: 'data', size_gb: 1 })) },
      'new_volumes',
    ],
    [
      'a text for the fate of the boot volume',
      { delete_boot_volume_on_termination: 'false' },
      'delete_boot_volume_on_termination',
    ],
  ];

  for (const [what, body, field] of badBodies) {
    it(`is 400 in plain JSON for ${what}`, async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());

      const answer = await api.post<ErrorBody>('/api/instances/async', {
        as: caller,
        body: instanceRequest(body),
      });

      assert.equal(answer.status, 400);
      assert.ok(
        answer.body.errors?.every((error) => error.field.startsWith(`body.${field}`)),
        JSON.stringify(answer.body),
      );
    });
  }

  it('passes on which volumes to attach, to create and to keep', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    for (const id of [`${VOLUME}1`, `${VOLUME}2`])
      answers(suite.cloud, `GET /volumes/${id}`, { volume: volumeOf(caller, { id }) });

    const stream = await api.stream('POST', '/api/instances/async', {
      as: caller,
      body: instanceRequest({
        delete_boot_volume_on_termination: false,
        additional_volume_ids: [`${VOLUME}2`, `${VOLUME}1`],
        new_volumes: [{ name: 'data', size_gb: 3 }],
      }),
    });
    stream.close();

    const { payload } = await queuedData(api, String(stream.headers.get('x-job-id')));
    assert.equal(payload.deleteBootVolumeOnTermination, false);
    assert.deepEqual(payload.additionalVolumeIds, [`${VOLUME}2`, `${VOLUME}1`]);
    assert.deepEqual(payload.newVolumes, [{ name: 'data', sizeGb: 3 }]);
  });

  it('stores the administrator password sealed', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());

    const stream = await api.stream('POST', '/api/instances/async', {
      as: caller,
      body: instanceRequest({ admin_pass: 'hunter2hunter2' }),
    });
    stream.close();

    const stored = await allStoredData(api);
    assert.ok(stored.some((text) => text.includes('web-1')));
    for (const text of stored) assert.doesNotMatch(text, /hunter2|gAAAAA/);
    assert.doesNotMatch(api.log.text(), /hunter2/);
  });
});
