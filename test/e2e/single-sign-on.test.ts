import assert from 'node:assert/strict';
import type { Stack } from '../../scripts/stack.ts';
import { CloudsimControl } from '../support/clients/cloudsim-control.ts';
import { Dashboard } from '../support/clients/dashboard.ts';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import { TestBrowser } from '../support/clients/test-browser.ts';
import { eventually } from '../support/eventually.ts';
import { isRealCloud, startTestStack } from '../support/stacks/test-stack.ts';
import { autoBackupPath, setUpAutoBackup } from '../support/subjects/auto-backups.ts';

/** The pages of the real identity service. */
const { TESTCLOUD_SSO_URL: realPages } = process.env;

describe('single sign-on', function () {
  this.timeout(300_000);
  let stack: Stack;
  let dashboard: Dashboard;

  before(async function () {
    if (!Dashboard.isAvailable()) return this.skip();
    stack = await startTestStack({ ...Dashboard.options(), startsJobs: false });
    await Dashboard.trust(stack);
    dashboard = new Dashboard(stack);
  });

  after(() => stack?.stop());

  /** Lets the identity service keep the groups of those who sign on from now on. */
  function keepGroups(isKept: boolean): Promise<void> {
    return new CloudsimControl(stack.cloudsim?.url ?? '').set({ keepsMappedGroups: isKept });
  }

  it('leads from the page of a dashboard to the projects', async () => {
    const browser = new TestBrowser();
    const { code, session, token, verifier } = await dashboard.signOn('erin', browser);

    assert.deepEqual([session.status, session.body.username], [200, 'erin']);
    const gateway = new GatewayClient(stack.url, session.body.token, session.body.project_id);
    const projects = await gateway.read<{ id: string; name: string }[]>('/api/auth/projects');
    assert.deepEqual(
      projects.map(({ name }) => name),
      ['demo'],
    );
    assert.equal((await gateway.request('GET', '/api/instances')).status, 200);
    for (const address of browser.addresses) {
      for (const secret of [token, code, verifier, session.body.token]) assert.ok(!address.includes(secret));
    }
    // The identity service no longer accepts the token that came through the browser.
    await eventually(async () => {
      const { status } = await fetch(`${stack.identityUrl}/auth/tokens`, {
        headers: { 'x-auth-token': token, 'x-subject-token': token },
      });
      return status === 401 || status === 404;
    });
    assert.equal((await gateway.request('POST', '/api/auth/logout')).status, 204);
    assert.equal((await gateway.request('GET', '/api/auth/me')).status, 401);
  });

  it('switches to another project of the user', async () => {
    const gateway = await dashboard.gatewayOf('frank');
    const projects = await gateway.read<{ id: string; name: string }[]>('/api/auth/projects');
    assert.deepEqual(projects.map(({ name }) => name).sort(), ['admin', 'demo']);
    const other = projects.find(({ id }) => id !== gateway.projectId);

    const switched = await gateway.request<{ project_id: string }>('POST', '/api/auth/token', {
      project_id: other?.id,
    });

    assert.deepEqual([switched.status, switched.body.project_id], [200, other?.id]);
  });

  it('accepts no code twice, or from another browser', async () => {
    const used = await dashboard.signOn('erin');
    const again = await dashboard.exchange({ code: used.code, verifier: used.verifier });
    const stolen = await new TestBrowser().signOn(
      dashboard.beginning(dashboard.newVerifier().challenge),
      'erin',
    );
    const code = (stolen.returned.headers.get('location') ?? '').split('#code=')[1];
    const byThief = await dashboard.exchange({ code, verifier: dashboard.newVerifier().verifier });

    assert.equal(used.session.status, 200);
    for (const { body, status } of [again, byThief]) {
      assert.deepEqual([status, body.code], [401, 'invalid_sign_on']);
    }
  });

  it('accepts no form from a browser that has not begun', async () => {
    const { token } = await new TestBrowser().signOn(
      dashboard.beginning(dashboard.newVerifier().challenge),
      'erin',
    );
    const origin = new URL(realPages ?? stack.cloudsim?.url ?? '').origin;

    const forged = await new TestBrowser().send(dashboard.callback, {
      form: { token },
      origin,
    });

    assert.equal(forged.status, 401);
    assert.equal(forged.headers.get('location'), null);
  });

  it('permits auto backups while the identity service keeps groups', async function () {
    // The real service caches for ten minutes that a user who has signed on before has no roles of their own.
    if (isRealCloud()) return this.skip();
    await keepGroups(true);
    const gateway = await dashboard.gatewayOf('frank').finally(() => keepGroups(false));
    const volume = await gateway.request<{ id: string }>('POST', '/api/volumes', {
      name: 'e2e-sso',
      size_gb: 1,
    });
    assert.equal(volume.status, 201, volume.text);
    try {
      await setUpAutoBackup(gateway, volume.body.id);

      const removed = await gateway.request('DELETE', autoBackupPath(volume.body.id));
      assert.ok(removed.status < 300, removed.text);
    } finally {
      await eventually(async () => {
        const { status } = await gateway.request('DELETE', `/api/volumes/${volume.body.id}`);
        return status === 204 || status === 404;
      });
    }
  });
});
