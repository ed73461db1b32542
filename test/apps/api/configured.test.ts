import assert from 'node:assert/strict';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller } from '../../support/api/factories.ts';
import { withServiceUser } from '../../support/api/settings.ts';
import { apiSuite } from '../../support/api/suite.ts';

const ID = 'a'.repeat(32);
const OTHER = 'b'.repeat(32);
const ROLE = 'c'.repeat(32);
const CONFIGURED = {
  ...withServiceUser,
  identity: { admin_scope: { projects: [{ project: 'admin' }] } },
  instances: { external_network_id: OTHER },
  builds: { flavor: 'builder', image: 'ubuntu', network: 'builds' },
  lite: { volume_type: 'fast' },
};

const inDefault = { domain_id: 'default', enabled: true };
const serviceUser = { ...inDefault, id: ID, name: 'Gateway' };
const serviceProject = { ...inDefault, id: ID, name: 'service' };
const flavor = { id: ID, name: 'builder' };

interface Reply {
  /** Of any recorded response of the service. */
  fixture: string;
  path: RegExp;
  body: object;
}

const identity = (path: RegExp, body: object): Reply => ({ fixture: 'identity/users', path, body });
const reads = {
  domain: identity(/\/v3\/domains\/default$/, { domain: { id: 'default', name: 'Default' } }),
  user: identity(/\/v3\/users\/\w+$/, { user: serviceUser }),
  project: identity(/\/v3\/projects\/\w+$/, { project: serviceProject }),
  members: identity(/\/v3\/groups\/\w+\/users$/, {
    users: [{ ...serviceUser, id: OTHER, name: 'x' }, serviceUser],
  }),
};
const network = { id: OTHER, name: 'public', project_id: ID, shared: false, 'router:external': true };
const networkOf = (record: object): Reply => ({
  fixture: 'network/networks',
  path: /\/networks\/\w+$/,
  body: { network: { ...network, ...record } },
});

type Refused = [method: string, path: string, body: object | undefined, setting: string, replies: Reply[]];

/** What an administrator asks for, and what the gateway reads before it refuses. */
const REFUSED: Record<string, Refused> = {
  "the deletion of the gateway's own user": [
    'DELETE',
    `users/${ID}`,
    undefined,
    'service_user.username',
    [reads.user, reads.domain],
  ],
  'its disabling': [
    'PATCH',
    `users/${ID}`,
    { enabled: false },
    'service_user.username',
    [reads.user, reads.domain],
  ],
  'its renaming': [
    'PATCH',
    `users/${ID}`,
    { name: 'x' },
    'service_user.username',
    [reads.user, reads.domain],
  ],
  'the revocation of its role': [
    'DELETE',
    `roles/assign?user_id=${ID}&project_id=${ID}&role_id=${ROLE}`,
    undefined,
    'service_user.username',
    [reads.project, reads.domain, reads.user, reads.domain],
  ],
  'the revocation of the role of its group': [
    'DELETE',
    `roles/assign-group?group_id=${ID}&project_id=${ID}&role_id=${ROLE}`,
    undefined,
    'service_user.username',
    [reads.project, reads.domain, reads.members, reads.domain],
  ],
  'its removal from a group': [
    'DELETE',
    `groups/${OTHER}/users/${ID}`,
    undefined,
    'service_user.username',
    [reads.user, reads.domain],
  ],
  'the deletion of its group': [
    'DELETE',
    `groups/${OTHER}`,
    undefined,
    'service_user.username',
    [reads.members, reads.domain],
  ],
  'the deletion of its project': [
    'DELETE',
    `projects/${ID}`,
    undefined,
    'service_user.project_name',
    [reads.project, reads.domain],
  ],
  'the purge of its project': [
    'POST',
    `projects/${ID}/purge`,
    undefined,
    'service_user.project_name',
    [reads.project, reads.domain],
  ],
  'the disabling of its project': [
    'PATCH',
    `projects/${ID}`,
    { enabled: false },
    'service_user.project_name',
    [reads.project, reads.domain],
  ],
  'the renaming of its project': [
    'PATCH',
    `projects/${ID}`,
    { name: 'x' },
    'service_user.project_name',
    [reads.project, reads.domain],
  ],
  'the deletion of the project of administrators': [
    'DELETE',
    `projects/${ID}`,
    undefined,
    'identity.admin_scope.projects',
    [identity(reads.project.path, { project: { ...serviceProject, name: 'admin' } }), reads.domain],
  ],
  'the deletion of the external network': [
    'DELETE',
    `networks/${OTHER}`,
    undefined,
    'instances.external_network_id',
    [networkOf({}), networkOf({})],
  ],
  'the deletion of the network of builds': [
    'DELETE',
    `networks/${ID}`,
    undefined,
    'builds.network',
    [
      ...[1, 2].map(() => networkOf({ id: ID, name: 'builds', 'router:external': false })),
      reads.project,
      reads.domain,
      { fixture: 'network/networks', path: /\/networks\?name=builds$/, body: { networks: [network] } },
    ],
  ],
  'the purge of a project with the external network': [
    'POST',
    `projects/${ID}/purge`,
    undefined,
    'instances.external_network_id',
    [
      identity(reads.project.path, { project: { ...serviceProject, name: 'x' } }),
      { fixture: 'network/networks', path: /\/networks\?project_id=/, body: { networks: [network] } },
    ],
  ],
  'the deletion of the flavor of builds': [
    'DELETE',
    `flavors/${ID}`,
    undefined,
    'builds.flavor',
    [{ fixture: 'compute/flavor', path: /\/flavors\/\w+$/, body: { flavor } }],
  ],
  'the deletion of the volume type of lite clusters': [
    'DELETE',
    `volume-types/${ID}`,
    undefined,
    'lite.volume_type',
    [
      {
        fixture: 'block-storage/volumes',
        path: /\/types\/\w+$/,
        body: { volume_type: { id: ID, name: 'fast' } },
      },
    ],
  ],
};

describe('what the configuration names', () => {
  const suite = apiSuite();
  const administrator = () => suite.cloud.validCaller(newCaller({ roles: ['admin'], projectName: 'admin' }));

  for (const [what, [method, path, body, setting, replies]] of Object.entries(REFUSED)) {
    it(`is kept: ${what} is refused`, async () => {
      const api = await suite.start({ settings: CONFIGURED });
      const as = administrator();
      for (const { fixture, ...reply } of replies)
        suite.cloud.reply(fixture, { method: 'GET', status: 200, ...reply });

      const answer = await api.request<ErrorBody>(method, `/api/admin/${path}`, { as, body });

      assert.deepEqual([answer.status, answer.body.code], [409, 'conflict'], answer.text);
      assert.ok(answer.body.detail.includes(setting), answer.body.detail);
    });
  }

  it('leaves alone namesakes in other domains', async () => {
    const api = await suite.start({ settings: CONFIGURED });
    const as = administrator();
    const path = new RegExp(`/v3/users/${ID}$`);
    suite.cloud
      .reply('identity/users', { path, body: { user: { ...serviceUser, domain_id: OTHER } } })
      .reply('identity/users', { path: /\/domains\//, body: { domain: { id: OTHER, name: 'Other' } } })
      .reply('identity/users', { method: 'DELETE', path, status: 204, body: '' });

    const answer = await api.request('DELETE', `/api/admin/users/${ID}`, { as });

    assert.equal(answer.status, 204, answer.text);
  });

  it("lets administrators set a new password of the gateway's own user", async () => {
    const api = await suite.start({ settings: CONFIGURED });
    const as = administrator();
    suite.cloud.reply('identity/users', {
      method: 'PATCH',
      path: new RegExp(`/v3/users/${ID}$`),
      body: { user: serviceUser },
    });

    const body = { password: 'another password' };
    const answer = await api.request('PATCH', `/api/admin/users/${ID}`, { as, body });

    assert.equal(answer.status, 200, answer.text);
  });

  for (const holder of ['user', 'group'] as const) {
    it(`lets administrators revoke the role of a ${holder} that is gone`, async () => {
      const api = await suite.start({ settings: CONFIGURED });
      const as = administrator();
      const { fixture, ...project } = reads.project;
      const gone = { error: { code: 404, title: 'Not Found', message: `Could not find ${holder}: gone.` } };
      const at = `${holder}s/${OTHER}`;
      suite.cloud
        .reply(fixture, { method: 'GET', status: 200, ...project })
        .reply(fixture, { method: 'GET', status: 200, path: reads.domain.path, body: reads.domain.body })
        .reply('identity/users', {
          path: new RegExp(`/v3/${at}(/users)?$`),
          status: 404,
          body: gone,
          times: holder === 'group' ? 2 : 1,
        })
        .reply('identity/grant', { method: 'DELETE', path: `/v3/projects/${ID}/${at}/roles/${ROLE}` });

      const query = `${holder}_id=${OTHER}&project_id=${ID}&role_id=${ROLE}`;
      const path = `/api/admin/roles/assign${holder === 'group' ? '-group' : ''}?${query}`;
      const answer = await api.request('DELETE', path, { as });

      assert.deepEqual([answer.status, answer.body], [200, { status: 'revoked' }], answer.text);
    });
  }

  for (const [images, status] of [
    [['ours'], 409],
    [['ours', 'theirs'], 204],
  ] as const) {
    it(`is ${status} for one of ${images.length} images with its name`, async () => {
      const api = await suite.start({ settings: CONFIGURED });
      const member = suite.cloud.validCaller(newCaller({ projectName: 'x' }));
      const image = { id: ID, name: 'ubuntu', owner: member.projectId, visibility: 'public' };
      const path = new RegExp(`/images/${ID}$`);
      const list = { images: images.map((id) => ({ ...image, id })) };
      suite.cloud
        .reply('image/image', { path, body: image })
        .reply('image/images', { path: /\/images\?.*name=ubuntu/, body: list });
      if (status === 204) suite.cloud.reply('image/image', { method: 'DELETE', path, status, body: '' });

      const answer = await api.request('DELETE', `/api/images/${ID}`, { as: member });

      assert.equal(answer.status, status, answer.text);
    });
  }
});
