import assert from 'node:assert/strict';
import { endpoints } from '../../../apps/api/src/routes/index.ts';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller, OTHER_PROJECT, type TestCaller, tokenBody } from '../../support/api/factories.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';

interface Me {
  can: string[];
}

type Document = { paths: Record<string, Record<string, { 'x-requires'?: string[] }>> };

const services = { lite: true, shared_fs: true, container_infra: true, container: true };

describe('the rights in GET /api/auth/me', () => {
  const suite = apiSuite();

  async function rightsOf(api: TestApi, caller: TestCaller): Promise<string[]> {
    return (await api.get<Me>('/api/auth/me', { as: suite.cloud.validCaller(caller) })).body.can;
  }

  for (const [what, roles, can, identity] of [
    ['an administrator', ['admin', 'member', 'reader'], ['administer', 'change'], {}],
    ['an administrator by another role', ['operator'], ['administer', 'change'], { admin_role: 'operator' }],
    ['a member', ['member', 'reader'], ['change'], {}],
    ['a reader', ['reader'], [], {}],
    ['a reader by another role', ['auditor'], [], { reader_roles: ['reader', 'auditor'] }],
    [
      'the administrator of another project',
      ['admin'],
      ['change'],
      { admin_scope: { projects: [{ project: OTHER_PROJECT }] } },
    ],
  ] as [string, string[], string[], object][]) {
    it(`of ${what} are those that no endpoint refuses`, async () => {
      const api = await suite.start({ settings: { services, identity: { ...identity } } });
      const caller = newCaller({ roles });
      const { paths } = (await api.get<Document>('/api/openapi.json')).body;

      assert.deepEqual(await rightsOf(api, caller), can);

      for (const { access, method, path } of endpoints) {
        // A log-out takes no input, and would end the token.
        if (access === 'public' || path === '/api/auth/logout') continue;
        const required = paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]?.['x-requires'] ?? [];
        // The role is checked before the input, so no endpoint that grants access goes any further.
        const answer = await api.request<ErrorBody>(method, `${path.replace(/:\w+/g, '%01')}?unknown=1`, {
          as: caller,
        });
        const isRefused = answer.status === 403;
        assert.equal(isRefused, !required.every((right) => can.includes(right)), `${method} ${path}`);
      }
    });
  }

  it('are none without a project', async () => {
    const api = await suite.start();
    const caller = newCaller({ projectId: '', projectName: '' });
    suite.cloud.acceptsToken(caller, {
      body: { token: { ...Object(tokenBody(caller)).token, roles: [{ id: 'r', name: 'admin' }] } },
    });

    const { body } = await api.get<Me>('/api/auth/me', { as: caller, projectId: null });

    assert.deepEqual(body.can, []);
  });
});

describe('the projects in which the role of administrators counts', () => {
  const suite = apiSuite();
  const DOMAIN_ID = 'd'.repeat(32);
  const project = { id: 'a'.repeat(32), name: 'operators', domain: { id: DOMAIN_ID, name: 'Physics' } };

  /** Logs in to the project, and returns whether that makes an administrator. */
  async function isAdmin(scope: object, tokenFields: object = {}, projectFields: object = {}) {
    const api = await suite.start({ settings: { identity: { admin_scope: scope } } });
    const caller = newCaller({ roles: ['admin'] });
    const token = { ...Object(tokenBody(caller)).token, project: { ...project, ...projectFields } };
    suite.cloud.acceptsLogIn(caller, { body: { token: { ...token, ...tokenFields } } });
    const { body } = await api.post<{ is_admin: boolean }>('/api/auth/login', {
      body: { username: 'demo', password: 'demo-secret' },
    });
    return body.is_admin;
  }

  it('are all by default', async () => {
    assert.equal(await isAdmin({}), true);
  });

  it('are those with a listed id, not with it as name', async () => {
    const scope = { projects: [{ project: project.id }] };

    assert.equal(await isAdmin(scope), true);
    assert.equal(await isAdmin(scope, {}, { id: OTHER_PROJECT, name: project.id }), false);
  });

  it('are those with a listed name in its domain', async () => {
    const byName = { projects: [{ project: 'operators', domain: 'Physics' }] };
    const byId = { projects: [{ project: 'operators', domain: DOMAIN_ID }] };

    assert.deepEqual([await isAdmin(byName), await isAdmin(byId)], [true, true]);
    assert.equal(await isAdmin(byName, {}, { name: 'others' }), false);
    assert.equal(await isAdmin({ projects: [{ project: 'operators' }] }), false);
  });

  it('are all of a listed domain', async () => {
    assert.equal(await isAdmin({ domains: ['Physics'] }), true);
    assert.equal(await isAdmin({ domains: [DOMAIN_ID] }), true);
    assert.equal(await isAdmin({ domains: ['Default'] }), false);
    const named = { domain: { id: 'e'.repeat(32), name: DOMAIN_ID } };
    assert.equal(await isAdmin({ domains: [DOMAIN_ID] }, {}, named), false);
  });

  it('are the one that the identity service marks', async () => {
    const scope = { admin_project: true };

    assert.equal(await isAdmin(scope, { is_admin_project: true }), true);
    assert.equal(await isAdmin(scope, { is_admin_project: false }), false);
    assert.equal(await isAdmin(scope), false);
  });
});
