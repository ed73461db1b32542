import assert from 'node:assert/strict';
import type { ImageRecord } from '@gateway/openstack';
import type { Image } from '@gateway/resources';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller } from '../../support/api/factories.ts';
import { apiSuite } from '../../support/api/suite.ts';
import { fixtureBody } from '../../support/doubles/upstream.ts';

const ID = '0a1b2c3d-0000-4000-8000-0000000000a1';
const path = `/v2/images/${ID}`;

describe('DELETE /api/images/:image_id', () => {
  const suite = apiSuite();

  /** @param owner of the image; the project of the caller by default */
  async function remove(owner?: string, roles?: string[]) {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller(roles && { roles }));
    const image = { ...fixtureBody<ImageRecord>('image/image'), id: ID, owner: owner ?? caller.projectId };
    suite.cloud.reply('image/image', { path, body: image });
    return () => api.request<ErrorBody>('DELETE', `/api/images/${ID}`, { as: caller });
  }

  it('deletes an image of the project', async () => {
    const send = await remove();
    suite.cloud.reply('image/image', { method: 'DELETE', path, status: 204, body: '' });

    assert.equal((await send()).status, 204);
  });

  it('is 404 for an image of another project, also for an administrator', async () => {
    const send = await remove('another-project', ['admin']);

    const answer = await send();

    assert.deepEqual([answer.status, answer.body.code], [404, 'not_found']);
  });

  it('is 409 for an image that is protected', async () => {
    const send = await remove();
    const message = `Image ${ID} is protected and cannot be deleted.`;
    suite.cloud.reply('image/image', { method: 'DELETE', path, status: 403, body: { message } });

    const answer = await send();

    assert.deepEqual([answer.status, answer.body.code], [409, 'conflict']);
    assert.match(answer.body.detail, /protected/);
  });
});

describe('GET /api/images/{image_id}', () => {
  const suite = apiSuite();

  it('is one image with its project, also a hidden one', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const image = { ...fixtureBody<ImageRecord>('image/image'), id: ID, owner: caller.projectId };
    suite.cloud.reply('image/image', { path, body: { ...image, os_hidden: true, protected: true } });

    const { body } = await api.get<Image>(`/api/images/${ID}`, { as: caller });

    assert.deepEqual(
      [body.id, body.owner, body.owner_name, body.os_hidden, body.protected],
      [ID, caller.projectId, caller.projectName, true, true],
    );
  });

  it('is 404 for an image that is not there', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('image/image', { path, status: 404, body: { message: 'No image found' } });

    const answer = await api.get<ErrorBody>(`/api/images/${ID}`, { as: caller });

    assert.deepEqual([answer.status, answer.body.code], [404, 'not_found']);
  });
});

describe('GET /api/images', () => {
  const suite = apiSuite();

  it('omits private images of others where the role does not count', async () => {
    const settings = { identity: { admin_scope: { domains: ['elsewhere'] } } };
    const api = await suite.start({ settings });
    const caller = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    const recorded = fixtureBody<ImageRecord>('image/image');
    const images = [
      { ...recorded, id: 'own', owner: caller.projectId, visibility: 'private' },
      { ...recorded, id: 'private', owner: 'another-project', visibility: 'private' },
      { ...recorded, id: 'public', owner: 'another-project', visibility: 'public' },
    ];
    suite.cloud.reply('image/images', { path: /limit=1000/, body: { images } });

    const { body } = await api.get<{ id: string }[]>('/api/images', { as: caller });

    assert.deepEqual(body.map(({ id }) => id).toSorted(), ['own', 'public']);
  });
});
