import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Project } from '@gateway/resources';
import type { IssuedToken } from '../../apps/api/src/routes/auth/user-in-project.ts';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import { freshName, IdentitySuite } from '../support/stacks/identity-suite.ts';

interface Domain {
  id: string;
  name: string;
}

/** A user and a project of the same domain, in which the user is a member. */
interface Inhabitant {
  domain: Domain;
  userId: string;
  projectId: string;
  password: string;
}

describe('users and projects of several domains', function () {
  this.timeout(120_000);
  let suite: IdentitySuite;
  /** Of a user and of a project, in each domain. */
  const username = freshName('user');
  const project_name = freshName('project');
  let first: Inhabitant;
  let second: Inhabitant;

  before(async () => {
    suite = await IdentitySuite.start();
    first = await makeInhabitant();
    second = await makeInhabitant();
  });

  after(() => suite?.stop());

  async function makeDomain(): Promise<Domain> {
    const body = { domain: { name: freshName('domain') } };
    const { domain } = await suite.cloud.call<{ domain: Domain }>('identity', 'POST', '/domains', body);
    suite.atEnd(async () => {
      await suite.cloud.call('identity', 'PATCH', `/domains/${domain.id}`, { domain: { enabled: false } });
      await suite.cloud.call('identity', 'DELETE', `/domains/${domain.id}`);
    });
    return domain;
  }

  async function makeInhabitant(): Promise<Inhabitant> {
    const domain = await makeDomain();
    const domain_id = domain.id;
    const password = randomUUID();
    const user = await suite.makeUser({ name: username, password, domain_id });
    const project = await suite.makeProject({ name: project_name, domain_id });
    await suite.assign({ user_id: user.id }, project.id, await suite.roleId('member'));
    return { domain, userId: user.id, projectId: project.id, password };
  }

  function logIn(password: string, more: object) {
    const body = { username, password, ...more };
    return new GatewayClient(suite.stack.url, '', '').request<IssuedToken>('POST', '/api/auth/login', body);
  }

  it('may have the same names, and log in by name or id', async () => {
    for (const { domain, userId, projectId, password } of [first, second]) {
      for (const domains of [
        { domain_name: domain.name },
        { user_domain: domain.name },
        { user_domain: domain.id },
        { domain_name: 'Default', user_domain: domain.id, project_domain: domain.name },
      ]) {
        const { status, body, text } = await logIn(password, { project_name, ...domains });

        assert.equal(status, 200, text);
        assert.deepEqual([body.user_id, body.project_id], [userId, projectId]);
        assert.deepEqual(
          [body.user_domain_name, body.project_domain_id, body.project_domain_name],
          [domain.name, domain.id, domain.name],
        );
      }
    }
    const { status } = await logIn(second.password, { project_name, user_domain: first.domain.name });
    assert.equal(status, 401);
  });

  it('log in past a project whose domain is disabled', async () => {
    const { domain, password, projectId, userId } = await makeInhabitant();
    const { id: domain_id } = await makeDomain();
    const firstByName = await suite.makeProject({ name: `0-${project_name}`, domain_id });
    await suite.assign({ user_id: userId }, firstByName.id, await suite.roleId('member'));
    const before = await logIn(password, { user_domain: domain.id });
    await suite.cloud.call('identity', 'PATCH', `/domains/${domain_id}`, { domain: { enabled: false } });

    const after = await logIn(password, { user_domain: domain.id });

    assert.equal(before.body.project_id, firstByName.id, before.text);
    assert.deepEqual([after.status, after.body.project_id], [200, projectId], after.text);
  });

  it('may have roles in projects of another domain, and choose one', async () => {
    await suite.assign({ user_id: first.userId }, second.projectId, await suite.roleId('member'));
    const { name: user_domain } = first.domain;
    const across = await logIn(first.password, {
      project_name,
      user_domain,
      project_domain: second.domain.name,
    });
    assert.deepEqual([across.status, across.body.project_id], [200, second.projectId], across.text);

    const chosen = await logIn(first.password, { user_domain });
    const user = new GatewayClient(suite.stack.url, chosen.body.token, chosen.body.project_id);
    const projects = await suite.read<Project[]>('/api/auth/projects', user);

    const byId = (a: string[], b: string[]) => ((a[0] ?? '') < (b[0] ?? '') ? -1 : 1);
    assert.deepEqual(
      projects.map(({ id, name, domain_name }) => [id, name, domain_name]).sort(byId),
      [first, second].map(({ domain, projectId }) => [projectId, project_name, domain.name]).sort(byId),
    );
    const published = user.published;
    await published.switchProject(second.projectId);
    const me = await published.request('GET /api/auth/me');
    assert.deepEqual(
      [me.user_domain_name, me.project_id, me.project_domain_name],
      [user_domain, second.projectId, second.domain.name],
    );
  });
});
