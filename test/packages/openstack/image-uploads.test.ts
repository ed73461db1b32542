import assert from 'node:assert/strict';
import { mockUpstream, type Upstream } from '../../support/doubles/upstream.ts';
import { recordedIdentity, testCloud } from './cloud.ts';

const ID = '0a1b2c3d-0000-4000-8000-0000000000a1';

describe('an image', () => {
  let upstream: Upstream;
  beforeEach(() => {
    upstream = mockUpstream();
  });
  afterEach(() => upstream.close());

  it('is changed by a JSON patch of the content type for images', async () => {
    upstream.reply('image/image', {
      method: 'PATCH',
      path: `/v2/images/${ID}`,
      requestHeaders: { 'content-type': 'application/openstack-images-v2.1-json-patch' },
      requestBody: [
        { op: 'replace', path: '/name', value: 'golden' },
        { op: 'replace', path: '/min_disk', value: 8 },
        { op: 'remove', path: '/signature_verified' },
      ],
    });

    await testCloud().mine().image.images.update(ID, { name: 'golden', min_disk: 8 }, ['signature_verified']);

    upstream.assertAllUsed();
  });

  it('is uploaded from a volume as a private image', async () => {
    const action = 'os-volume_upload_image';
    const upload = {
      image_name: 'copy',
      disk_format: 'raw',
      container_format: 'bare',
      visibility: 'private',
    } as const;
    upstream.reply('block-storage/volume', {
      method: 'POST',
      path: `/v3/${recordedIdentity().projectId}/volumes/${ID}/action`,
      status: 202,
      requestHeaders: { 'content-type': 'application/json' },
      requestBody: { [action]: upload },
      body: { [action]: { id: ID, status: 'uploading', image_id: 'made' } },
    });

    assert.equal(await testCloud().mine().blockStorage.volumes.upload(ID, upload), 'made');
    upstream.assertAllUsed();
  });

  it('is made of a server by the compute service', async () => {
    upstream.reply('compute/server', {
      method: 'POST',
      path: `/v2.1/servers/${ID}/action`,
      status: 202,
      requestBody: { createImage: { name: 'disk' } },
      body: { image_id: 'made' },
    });

    assert.equal(await testCloud().mine().compute.servers.createImage(ID, 'disk'), 'made');
    upstream.assertAllUsed();
  });
});
