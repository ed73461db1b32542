import assert from 'node:assert/strict';
import type { FlavorRecord, ImageRecord, ServerRecord, VolumeRecord } from '@gateway/openstack';
import { answers as storageAnswers } from '../../support/api/block-storage.ts';
import type { ErrorBody } from '../../support/api/client.ts';
import { computeAnswers, serverOf } from '../../support/api/compute.ts';
import { newCaller } from '../../support/api/factories.ts';
import { apiSuite } from '../../support/api/suite.ts';
import { fixtureBody } from '../../support/doubles/upstream.ts';

const GIB = 2 ** 30;
const FLAVOR_ID = '0a1b2c3d-0000-4000-8000-0000000000f1';
const IMAGE_ID = '0a1b2c3d-0000-4000-8000-0000000000a1';
const flavor = { ...fixtureBody<FlavorRecord>('compute/flavor', 'flavor'), id: FLAVOR_ID, name: 'm1.large' };

const server = serverOf();
const path = `/servers/${server.id}`;
const RESIZED = { status: 'VERIFY_RESIZE', 'OS-EXT-STS:vm_state': 'resized' };
const RESCUING = { hw_rescue_bus: 'virtio', hw_rescue_device: 'disk' };
const RESCUED = { status: 'RESCUE', 'OS-EXT-STS:vm_state': 'rescued' };

/** Each action, what it sends, and a state from which it is allowed. */
const ACTIONS = [
  ['resize', { flavor_id: FLAVOR_ID }, { resize: { flavorRef: FLAVOR_ID } }, 'resizing', {}],
  ['confirm-resize', undefined, { confirmResize: null }, 'confirming', RESIZED],
  ['revert-resize', undefined, { revertResize: null }, 'reverting', RESIZED],
  ['rebuild', { image_id: IMAGE_ID }, { rebuild: { imageRef: IMAGE_ID } }, 'rebuilding', {}],
  ['rescue', { image_id: IMAGE_ID }, { rescue: { rescue_image_ref: IMAGE_ID } }, 'rescuing', {}],
  ['unrescue', undefined, { unrescue: null }, 'unrescuing', RESCUED],
] as const;

describe('another flavor or system for an instance', () => {
  const suite = apiSuite();

  /** @param differences of the server that is read; null if none is */
  async function start(differences: Partial<ServerRecord> | null = {}, roles?: string[], projectId?: string) {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(
      newCaller({ projectId: projectId ?? server.tenant_id, ...(roles && { roles }) }),
    );
    if (differences !== null)
      computeAnswers(suite.cloud, `GET ${path}`, { server: { ...server, ...differences } });
    const act = (name: string, body?: object) =>
      api.post<ErrorBody & { status?: string }>(`/api/instances/${server.id}/${name}`, { as: caller, body });
    return { act, api, caller };
  }

  function foundFlavor(differences: Partial<FlavorRecord> = {}) {
    computeAnswers(suite.cloud, `GET /flavors/${FLAVOR_ID}`, { flavor: { ...flavor, ...differences } });
  }

  function foundImage(differences: Partial<ImageRecord> = {}) {
    const image = { ...fixtureBody<ImageRecord>('image/image'), id: IMAGE_ID, status: 'active' };
    suite.cloud.reply('image/image', {
      path: `/v2/images/${IMAGE_ID}`,
      body: { ...image, ...differences },
    });
  }

  for (const [name, body, sent, status, from] of ACTIONS) {
    it(`is sent to the compute service: ${name}`, async () => {
      const { act } = await start(from);
      if (name === 'resize') foundFlavor();
      if (name === 'rebuild' || name === 'rescue') foundImage(RESCUING);
      computeAnswers(suite.cloud, `POST ${path}/action`, '', { status: 202, requestBody: sent });

      const answer = await act(name, body);

      assert.deepEqual([answer.status, answer.body], [200, { status }]);
    });

    it(`is 409 with the state that forbids it: ${name}`, async () => {
      const { act } = await start({ status: 'PAUSED', 'OS-EXT-STS:vm_state': 'paused' });

      const { status: code, body: refusal } = await act(name, body);

      assert.deepEqual([code, refusal.code], [409, 'conflict']);
      assert.match(refusal.detail, / cannot .*: its status is PAUSED\.$/);
    });

    it(`is 404 for another project's instance, also for an administrator: ${name}`, async () => {
      const { act } = await start(from, ['admin'], 'another-project');

      assert.equal((await act(name, body)).status, 404);
    });
  }

  for (const [name, body, field] of [
    ['resize', {}, 'body.flavor_id'],
    ['rebuild', {}, 'body.image_id'],
    ['rescue', { image_id: 'a/b' }, 'body.image_id'],
    ['rescue', { image_id: IMAGE_ID, admin_pass: '' }, 'body.admin_pass'],
  ] as const) {
    it(`is 400 without ${field}: ${name} ${JSON.stringify(body)}`, async () => {
      const { act } = await start(null);

      const answer = await act(name, body);

      assert.deepEqual([answer.status, answer.body.errors?.[0]?.field], [400, field]);
    });
  }

  it('counts the GPUs of a resize until the instance has them', async () => {
    const { act, api } = await start({ status: 'ACTIVE' });
    foundFlavor({ name: 'big', extra_specs: { 'pci_passthrough:alias': 'a100:2' } });
    computeAnswers(suite.cloud, `POST ${path}/action`, '', { status: 202 });

    assert.equal((await act('resize', { flavor_id: FLAVOR_ID })).status, 200);
    const { reserved } = await api.context.gpuQuotas.readProject(server.tenant_id);
    assert.deepEqual(
      reserved.map(({ gpus, isKept, jobId }) => [
        jobId,
        isKept,
        Object.values(gpus).map(({ count }) => count),
      ]),
      [[server.id, true, [2]]],
    );
  });

  it('is 400 for an unknown flavor and for that of the instance', async () => {
    const { act } = await start();
    suite.cloud.reply('compute/server-not-found', { path: `/v2.1/flavors/${FLAVOR_ID}` });
    const unknown = await act('resize', { flavor_id: FLAVOR_ID });
    computeAnswers(suite.cloud, `GET ${path}`, { server });
    foundFlavor({ name: server.flavor.original_name });
    computeAnswers(
      suite.cloud,
      `POST ${path}/action`,
      { badRequest: { code: 400, message: 'When resizing, instances must change flavor!' } },
      { status: 400 },
    );
    const same = await act('resize', { flavor_id: FLAVOR_ID });

    assert.deepEqual([unknown.status, unknown.body.detail], [400, `Flavor ${FLAVOR_ID} was not found.`]);
    assert.deepEqual([same.status, same.body.errors?.[0]?.field], [400, 'body.flavor_id']);
  });

  it('takes a flavor that was made again under the old name', async () => {
    const { act } = await start();
    foundFlavor({ name: server.flavor.original_name });
    computeAnswers(suite.cloud, `POST ${path}/action`, {}, { status: 202 });

    assert.equal((await act('resize', { flavor_id: FLAVOR_ID })).status, 200);
  });

  for (const name of ['rebuild', 'rescue']) {
    it(`is 400 for an image that is unknown or not active: ${name}`, async () => {
      const { act } = await start();
      suite.cloud.reply('image/image-not-found', { path: `/v2/images/${IMAGE_ID}` });
      const unknown = await act(name, { image_id: IMAGE_ID });
      computeAnswers(suite.cloud, `GET ${path}`, { server });
      foundImage({ status: 'queued' });
      const queued = await act(name, { image_id: IMAGE_ID });

      assert.deepEqual([unknown.status, unknown.body.detail], [400, `Image ${IMAGE_ID} was not found.`]);
      assert.deepEqual([queued.status, queued.body.errors?.[0]?.field], [400, 'body.image_id']);
    });

    it(`is 400 for an image of a volume: ${name}`, async () => {
      const { act } = await start();
      const device = { boot_index: 0, source_type: 'snapshot', snapshot_id: 's1', volume_size: 2 };
      foundImage({ ...RESCUING, size: 0, block_device_mapping: JSON.stringify([device]) });

      const answer = await act(name, { image_id: IMAGE_ID });

      assert.deepEqual([answer.status, answer.body.errors?.[0]?.field], [400, 'body.image_id']);
    });
  }

  describe('in a boot volume', () => {
    const VOLUME = { ...fixtureBody<VolumeRecord>('block-storage/volume', 'volume'), id: 'v2' };

    /** Rebuilds an instance whose second volume is the one that it boots from. */
    async function rebuild(sizeGb: number, image: Partial<ImageRecord>) {
      const { act } = await start({ image: null });
      foundImage(image);
      const attachment = { serverId: server.id, tag: null, delete_on_termination: false };
      computeAnswers(suite.cloud, `GET ${path}/os-volume_attachments`, {
        volumeAttachments: [
          { ...attachment, volumeId: 'v1', device: '/dev/vdb' },
          { ...attachment, volumeId: 'v2', device: '/dev/vda' },
        ],
      });
      storageAnswers(suite.cloud, 'GET /volumes/v2', { volume: { ...VOLUME, size: sizeGb } });
      return () => act('rebuild', { image_id: IMAGE_ID });
    }

    for (const [what, image] of [
      ['data', { virtual_size: 2 * GIB + 1, min_disk: 0 }],
      ['minimum', { virtual_size: 1, min_disk: 3 }],
    ] as const) {
      it(`is 400 with an image that is larger: ${what}`, async () => {
        const { body, status } = await (await rebuild(2, image))();

        assert.deepEqual([status, body.errors?.[0]?.field], [400, 'body.image_id']);
        assert.match(body.detail, /at least 3 GB, and that of the instance has 2 GB\.$/);
      });
    }

    it('is sent with an image that fits', async () => {
      const send = await rebuild(3, { virtual_size: 2 * GIB + 1, min_disk: 3 });
      computeAnswers(suite.cloud, `POST ${path}/action`, '', { status: 202 });

      assert.equal((await send()).status, 200);
    });
  });

  for (const [what, metadata] of [
    ['libraries', { overlay_libraries: 'python311' }],
    ['lite cluster', { gateway_cluster_id: 'c1' }],
  ] as const) {
    it(`does not rebuild what counts on its first boot: ${what}`, async () => {
      const { act } = await start({ metadata });

      const answer = await act('rebuild', { image_id: IMAGE_ID });

      assert.equal(answer.status, 409);
      assert.match(answer.body.detail, new RegExp(`^The instance cannot be rebuilt: .*${what}.* first boot`));
    });
  }

  it('is 400 with an image that rescues no instance on a volume', async () => {
    const { act } = await start({ image: null });
    foundImage({ hw_rescue_bus: 'virtio' });

    const { body, status } = await act('rescue', { image_id: IMAGE_ID });

    assert.deepEqual([status, body.errors?.[0]?.field], [400, 'body.image_id']);
    assert.match(body.detail, /hw_rescue_bus and hw_rescue_device are missing/);
  });

  for (const name of ['confirm-resize', 'revert-resize']) {
    it(`is 409 while the resize is being confirmed: ${name}`, async () => {
      const { act } = await start(RESIZED);
      const badRequest = { code: 400, message: 'Instance has not been resized.' };
      computeAnswers(suite.cloud, `POST ${path}/action`, { badRequest }, { status: 400 });
      computeAnswers(suite.cloud, `GET ${path}`, { server: { ...server, ...RESIZED } });

      const answer = await act(name);

      assert.deepEqual([answer.status, answer.body.code], [409, 'conflict']);
      assert.match(answer.body.detail, /its status is VERIFY_RESIZE.*has not been resized/);
    });
  }

  it('is 409 if the service cannot rescue the instance', async () => {
    const { act } = await start();
    foundImage(RESCUING);
    const message = `Instance ${server.id} cannot be rescued: Host unable to rescue a volume-backed instance`;
    computeAnswers(
      suite.cloud,
      `POST ${path}/action`,
      { badRequest: { code: 400, message } },
      { status: 400 },
    );
    computeAnswers(suite.cloud, `GET ${path}`, { server });

    const answer = await act('rescue', { image_id: IMAGE_ID });

    assert.deepEqual([answer.status, answer.body.code], [409, 'conflict']);
    assert.match(answer.body.detail, /Host unable to rescue/);
  });
});
