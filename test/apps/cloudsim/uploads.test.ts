import assert from 'node:assert/strict';
import {
  type ApiResponse,
  type Client,
  idOf,
  LATEST_COMPUTE,
  startTestCloud,
  type TestCloud,
} from './client.ts';

const LATEST_VOLUME = { 'OpenStack-API-Version': 'volume 3.70' };
const PATCH = { 'content-type': 'application/openstack-images-v2.1-json-patch' };

describe('simulated uploads to the image service', () => {
  let cloud: TestCloud;
  let demo: Client;
  let volumes: string;
  let imageRef: string;

  beforeEach(async () => {
    cloud = await startTestCloud();
    demo = await cloud.as('demo');
    volumes = `/volume/v3/${demo.projectId}/volumes`;
    imageRef = idOf(await demo.call('GET', '/image/v2/images'), 'debian-12');
  });
  afterEach(() => cloud.close());

  async function bootable(): Promise<string> {
    const { body } = await demo.call('POST', volumes, { volume: { size: 2, imageRef } });
    cloud.clock.advance(2_000);
    return body.volume.id;
  }

  const upload = (id: string) =>
    demo.call(
      'POST',
      `${volumes}/${id}/action`,
      { 'os-volume_upload_image': { image_name: 'mine', visibility: 'private' } },
      LATEST_VOLUME,
    );
  const image = (id: string): Promise<ApiResponse> => demo.call('GET', `/image/v2/images/${id}`);
  const volumeStatus = async (id: string) => (await demo.call('GET', `${volumes}/${id}`)).body.volume.status;

  it('copy an available volume with the properties of its image', async () => {
    const id = await bootable();

    const { body, status } = await upload(id);
    const imageId = body['os-volume_upload_image'].image_id;
    const states = [[(await image(imageId)).body.status, await volumeStatus(id)]];
    for (const ms of [350, 600]) {
      cloud.clock.advance(ms);
      states.push([(await image(imageId)).body.status, await volumeStatus(id)]);
    }

    assert.equal(status, 202);
    assert.deepEqual(states, [
      ['queued', 'uploading'],
      ['saving', 'uploading'],
      ['active', 'available'],
    ]);
    const { disk_format, min_disk, name, os_distro, size, visibility } = (await image(imageId)).body;
    assert.deepEqual(
      { disk_format, min_disk, name, os_distro, size, visibility },
      {
        disk_format: 'raw',
        min_disk: 0,
        name: 'mine',
        os_distro: 'debian',
        size: 2 * 2 ** 30,
        visibility: 'private',
      },
    );
  });

  it('are refused for an uploading volume, which cannot be deleted either', async () => {
    const id = await bootable();
    await upload(id);

    const again = await upload(id);

    assert.equal(again.status, 400);
    assert.equal(again.body.badRequest.message, `Invalid volume: Volume ${id} status must be available`);
    assert.equal((await demo.call('DELETE', `${volumes}/${id}`)).status, 400);
  });

  it('continue without an image that was deleted, and then free the volume', async () => {
    const id = await bootable();
    const imageId = (await upload(id)).body['os-volume_upload_image'].image_id;
    cloud.clock.advance(350);

    assert.equal((await demo.call('DELETE', `/image/v2/images/${imageId}`)).status, 204);

    assert.equal(await volumeStatus(id), 'uploading');
    cloud.clock.advance(600);
    assert.equal(await volumeStatus(id), 'available');
    assert.equal((await image(imageId)).status, 404);
  });

  it('delete the image of a failed upload', async () => {
    await demo.call('POST', '/_control/settings', { failsUploads: true });
    const id = await bootable();
    const imageId = (await upload(id)).body['os-volume_upload_image'].image_id;

    cloud.clock.advance(350);
    cloud.clock.advance(600);

    assert.equal((await image(imageId)).status, 404);
    assert.equal(await volumeStatus(id), 'available');
  });

  it('of the disk of a server are a task of it', async () => {
    const flavorRef = idOf(await demo.call('GET', '/compute/v2.1/flavors'), 'm1.tiny');
    const server = { name: 's', imageRef, flavorRef, networks: 'none' };
    const made = await demo.call('POST', '/compute/v2.1/servers', { server }, LATEST_COMPUTE);
    const path = `/compute/v2.1/servers/${made.body.server.id}`;
    for (let step = 0; step < 5; step += 1) cloud.clock.advance(2_000);
    const create = () =>
      demo.call('POST', `${path}/action`, { createImage: { name: 'of disk' } }, LATEST_COMPUTE);

    const { body, status } = await create();
    const again = await create();
    const during = (await demo.call('GET', path)).body.server['OS-EXT-STS:task_state'];
    cloud.clock.advance(350);
    cloud.clock.advance(600);

    assert.deepEqual([status, again.status, during], [202, 409, 'image_snapshot']);
    assert.equal((await image(body.image_id)).body.status, 'active');
    assert.equal((await demo.call('GET', path)).body.server['OS-EXT-STS:task_state'], null);
  });

  it('change by a JSON patch of the project that owns the image', async () => {
    const imageId = (await upload(await bootable())).body['os-volume_upload_image'].image_id;
    const patch = [{ op: 'replace', path: '/name', value: 'renamed' }];
    const path = `/image/v2/images/${imageId}`;
    const alice = await cloud.as('alice');

    const json = await demo.call('PATCH', path, patch, { 'content-type': 'application/json' });
    const foreign = await alice.call('PATCH', path, patch, PATCH);
    const changed = await demo.call('PATCH', path, patch, PATCH);

    assert.deepEqual([json.status, foreign.status, changed.status], [415, 404, 200]);
    assert.equal(changed.body.name, 'renamed');
  });
});
