import assert from 'node:assert/strict';
import type { Image, Instance } from '@gateway/resources';
import { CloudsimControl } from '../support/clients/cloudsim-control.ts';
import { eventually } from '../support/eventually.ts';
import { InstanceStack } from '../support/stacks/instance-stack.ts';
import { slowly } from '../support/stacks/slowly.ts';
import { followed } from '../support/subjects/followed.ts';

const CREATE = 'POST /api/instances/{instance_id}/images/async';

/** A copy of a volume and its upload take a minute on a real cloud, so the tests share an instance. */
describe('images of instances', function () {
  this.timeout(900_000);
  let instances: InstanceStack;
  let id: string;

  before(async () => {
    instances = await InstanceStack.start();
    id = await instances.create();
  });
  after(async () => {
    await instances?.removeImages();
    await instances?.delete(id);
    await instances?.stop();
  });

  const follow = (
    instance_id: string,
    name: string,
    onEvent?: (event: { step: string; job_id: string }) => Promise<void>,
  ) => followed(instances.gateway, CREATE, { path: { instance_id }, body: { name } }, onEvent);

  /** Checks that the project has the images, and no volume besides that of the instance. */
  async function assertOnly(names: (string | null)[]): Promise<void> {
    assert.deepEqual((await instances.images()).map(({ name }) => name).sort(), names.toSorted());
    const { volumes } = await instances.project.cloud.resourceIds();
    assert.equal(volumes.length, 1);
  }

  it('hold the disk, and boot other instances', async () => {
    const events = await follow(id, 'golden');

    assert.deepEqual(
      events.map(({ step }) => step),
      ['CHECKING', 'CREATING', 'UPLOADING', 'CLEANING_UP', 'COMPLETED'],
      events.at(-1)?.error ?? '',
    );
    const last = events.at(-1);
    const [image] = await instances.images();
    assert.deepEqual([last?.resource_type, last?.resource_id, last?.error], ['image', image?.id, null]);
    assert.deepEqual(
      [image?.name, image?.status, image?.visibility, image?.min_disk],
      ['golden', 'active', 'private', 1],
    );
    await assertOnly(['golden']);
    const listed = await instances.gateway.read<Image[]>('/api/images');
    assert.ok(listed.some((row) => row.id === image?.id && row.name === 'golden'));
    const job = await instances.gateway.read<{ status: string; resource_id: string }>(
      `/api/jobs/${last?.job_id}`,
    );
    assert.deepEqual([job.status, job.resource_id], ['completed', image?.id]);

    const copyId = await instances.create({ name: 'copy', image_id: image?.id });
    const copy = await instances.gateway.read<Instance>(`/api/instances/${copyId}`);
    assert.deepEqual([copy.status, copy.image_name], ['ACTIVE', 'golden']);
    await instances.delete(copyId);
    await eventually(async () => {
      await assertOnly(['golden']);
      return true;
    });
  });

  it('keep the properties of the image that the instance was made from', async () => {
    const source = (await instances.gateway.read<Image[]>('/api/images')).find(
      ({ name }) => name === 'debian-12',
    );

    const image = (await instances.images()).find(({ name }) => name === 'golden');

    assert.equal(image?.os_distro ?? '', source?.os_distro);
  });

  it('come from the compute service if the instance boots from one', async () => {
    const { cloud } = instances.project;
    const { flavor_id, image_id } = await instances.gateway.smallInstanceRequest('');
    const { server } = await cloud.call<{ server: { id: string } }>('compute', 'POST', '/servers', {
      server: { name: 'ephemeral', imageRef: image_id, flavorRef: flavor_id, networks: 'none' },
    });
    await instances.untilStatus(server.id, 'ACTIVE');

    const events = await follow(server.id, 'of a disk');

    assert.deepEqual(
      events.map(({ step }) => step),
      ['CHECKING', 'UPLOADING', 'COMPLETED'],
      events.at(-1)?.error ?? '',
    );
    const image = (await instances.images()).find(({ name }) => name === 'of a disk');
    assert.deepEqual(
      [image?.id, image?.status, image?.visibility],
      [events.at(-1)?.resource_id, 'active', 'private'],
    );
    await instances.untilStatus(server.id, 'ACTIVE');
    await instances.delete(server.id);
  });

  it('are refused in other states, and to other projects', async () => {
    await instances.assertHidden('POST', `${id}/images/async`, { name: 'foreign' });
    await instances.admin.call('compute', 'POST', `/servers/${id}/action`, {
      'os-resetState': { state: 'error' },
    });
    const refused = await instances.ask<{ detail: string }>('POST', `${id}/images/async`, { name: 'failed' });
    await instances.admin.call('compute', 'POST', `/servers/${id}/action`, {
      'os-resetState': { state: 'active' },
    });

    assert.equal(refused.status, 409);
    assert.match(refused.body.detail, /its status is ERROR/);
  });

  it('fail with the reason, and leave nothing, when the quota is exceeded', async () => {
    const quotas = `/os-quota-sets/${instances.project.cloud.projectId}`;
    await instances.admin.call('volumev3', 'PUT', quotas, { quota_set: { volumes: 1 } });

    const last = (await follow(id, 'too much')).at(-1);

    await instances.admin.call('volumev3', 'PUT', quotas, { quota_set: { volumes: 10 } });
    assert.deepEqual([last?.step, last?.code, last?.resource_id], ['FAILED', 'quota_exceeded', null]);
    assert.ok(!(await instances.images()).some(({ name }) => name === 'too much'));
  });

  for (const step of ['CREATING', 'UPLOADING']) {
    it(`leave nothing when they are cancelled: ${step}`, async () => {
      const names = (await instances.images()).map(({ name }) => name);

      const events = await slowly(instances.stack, () =>
        follow(id, 'cancelled', async (event) => {
          if (event.step !== step) return;
          const { status } = await instances.gateway.request('POST', `/api/jobs/${event.job_id}/cancel`);
          assert.equal(status, 202);
        }),
      );

      assert.deepEqual([events.at(-1)?.step, events.at(-1)?.code], ['FAILED', 'cancelled']);
      await assertOnly(names);
    });
  }

  it('are deleted by their project only', async () => {
    const images = '/api/images';
    const golden = (await instances.images()).find(({ name }) => name === 'golden');
    await instances.gateway.read(images);
    await instances.assertHiddenAt('DELETE', `${images}/${golden?.id}`);

    const { status } = await instances.gateway.request('DELETE', `${images}/${golden?.id}`);

    assert.equal(status, 204);
    const listed = await instances.gateway.read<Image[]>(images);
    assert.ok(!listed.some(({ id: listedId }) => listedId === golden?.id));
  });

  it('fail and leave nothing when the upload fails', async function () {
    const { cloudsim } = instances.stack;
    if (cloudsim === null) return this.skip();
    const names = (await instances.images()).map(({ name }) => name);
    const control = new CloudsimControl(cloudsim.url);
    await control.set({ failsUploads: true });

    const last = (await follow(id, 'failed')).at(-1);

    await control.set({ failsUploads: false });
    assert.deepEqual([last?.step, last?.code], ['FAILED', 'conflict']);
    await assertOnly(names);
  });
});
