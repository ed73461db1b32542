import assert from 'node:assert/strict';
import type { ImageRecord } from '@gateway/openstack';
import { fixtureBody, mockUpstream, type Upstream } from '../../support/doubles/upstream.ts';
import { call, identityConfig, recordedIdentity, testCloud } from './cloud.ts';

const OTHER = 'b'.repeat(32);
const identity = { ...recordedIdentity(), roles: ['admin', 'member'] };
const elsewhere = { projects: [], domains: ['elsewhere'], adminProject: false };

function imageOf(id: string, owner: string, visibility: ImageRecord['visibility']): ImageRecord {
  return { ...fixtureBody<ImageRecord>('image/image'), id, owner, visibility };
}

const ALL = [
  imageOf('own', identity.projectId, 'private'),
  imageOf('public', OTHER, 'public'),
  imageOf('community', OTHER, 'community'),
  imageOf('accepted', OTHER, 'shared'),
  imageOf('pending', OTHER, 'shared'),
  imageOf('unshared', OTHER, 'shared'),
  imageOf('private', OTHER, 'private'),
];

describe("images of other projects, with the administrator's role", () => {
  let upstream: Upstream;

  beforeEach(() => {
    upstream = mockUpstream();
  });

  afterEach(() => {
    upstream.close();
  });

  const imagesIn = (adminScope: typeof elsewhere, acting = {}) =>
    testCloud({ identity: { ...identityConfig, adminScope } }).openstack.as({ ...identity, ...acting }, call)
      .image.images;

  function membership(id: string, status: string | null): void {
    const path = `/v2/images/${id}/members/${identity.projectId}`;
    if (status === null) upstream.reply('image/image-not-found', { method: 'GET', path });
    else
      upstream.reply('image/image', { path, body: { status, member_id: identity.projectId, image_id: id } });
  }

  it('are found if they are shared, where the role does not count', async () => {
    upstream.reply('image/images', { path: /limit=1000/, body: { images: ALL } });
    membership('accepted', 'accepted');
    membership('pending', 'pending');
    membership('unshared', null);

    const found = await imagesIn(elsewhere).list();

    assert.deepEqual(
      found.map(({ id }) => id),
      ['own', 'public', 'community', 'accepted'],
    );
    upstream.assertAllUsed();
  });

  it('are asked about in a bounded number of calls', async () => {
    const many = Array.from({ length: 60 }, (_, at) => imageOf(`shared-${at}`, OTHER, 'shared'));
    upstream.reply('image/images', { path: /limit=1000/, body: { images: many } });
    for (const { id } of many.slice(0, 50)) membership(id, 'accepted');

    assert.equal((await imagesIn(elsewhere).list()).length, 50);
    upstream.assertAllUsed();
  });

  it('are not found by id, so nothing can be made of them', async () => {
    upstream.reply('image/image', { path: '/v2/images/private', body: ALL.at(-1) });

    await assert.rejects(imagesIn(elsewhere).get('private'), { status: 404 });
  });

  for (const [who, adminScope, acting] of [
    ['administrators', { ...elsewhere, domains: [] }, {}],
    ["the gateway's own user in a user's project", elsewhere, { actingForProjectId: OTHER }],
  ] as const) {
    it(`are all found by ${who}`, async () => {
      upstream.reply('image/images', { path: /limit=1000/, body: { images: ALL } });

      assert.equal(
        (await imagesIn({ ...adminScope, domains: [...adminScope.domains] }, acting).list()).length,
        7,
      );
    });
  }
});
