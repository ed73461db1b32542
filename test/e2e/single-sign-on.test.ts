import assert from 'node:assert/strict';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { freePort } from '../../scripts/free-port.ts';
import type { Stack } from '../../scripts/stack.ts';
import { CloudClient } from '../support/clients/cloud-client.ts';
import { CloudsimControl } from '../support/clients/cloudsim-control.ts';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import { TestBrowser } from '../support/clients/test-browser.ts';
import { eventually } from '../support/eventually.ts';
import { isRealCloud, startTestStack, testLogin } from '../support/stacks/test-stack.ts';
import { autoBackupPath, HOURLY } from '../support/subjects/auto-backups.ts';

const ORIGIN = 'https://dashboard.example.org';
const PROVIDER = 'company';
/** The pages of the real identity service, and the address of the gateway to which they send tokens. */
const { TESTCLOUD_SSO_URL: realPages, TESTCLOUD_SSO_CALLBACK: realCallback } = process.env;

interface Session {
  token: string;
  project_id: string;
  username: string;
}

describe('single sign-on', function () {
  this.timeout(300_000);
  let stack: Stack;
  let admin: CloudClient;

  before(async function () {
    if (isRealCloud() && (realPages === undefined || realCallback === undefined)) {
      process.stderr.write('      SKIPPED: TESTCLOUD_SSO_URL and TESTCLOUD_SSO_CALLBACK are not set\n');
      return this.skip();
    }
    const port = isRealCloud() ? Number(new URL(realCallback ?? '').port) : await freePort();
    stack = await startTestStack({
      ports: { api: port },
      config: {
        sso: {
          url: isRealCloud() ? realPages : null,
          providers: [
            { id: PROVIDER, name: 'Company account', identity_provider: 'testidp', protocol: 'openid' },
          ],
          dashboards: [`${ORIGIN}/signed-in`],
        },
        http: { cors_origins: [ORIGIN] },
        lite: { plugins: { block_csi_enabled: true } },
        public_endpoint: { url: `http://127.0.0.1:${port}` },
      },
    });
    admin = await CloudClient.logIn(stack.identityUrl ?? '', testLogin('admin'));
    if (stack.cloudsim !== null) {
      const trustedDashboards = [`${stack.url}/api/auth/sso/callback`];
      await new CloudsimControl(stack.cloudsim.url).set({ trustedDashboards });
    }
  });

  after(() => stack?.stop());

  function newVerifier(): { verifier: string; challenge: string } {
    const verifier = randomBytes(32).toString('base64url');
    return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
  }

  function beginning(challenge: string): string {
    return `${stack.url}/api/auth/sso/${PROVIDER}?${new URLSearchParams({ origin: ORIGIN, challenge })}`;
  }

  async function exchange(body: object): Promise<{ status: number; body: Session & { code?: string } }> {
    const response = await fetch(`${stack.url}/api/auth/exchange`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: ORIGIN },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Session };
  }

  /** A person who comes from the page of a dashboard. */
  async function signOn(person: string, browser = new TestBrowser()) {
    const { challenge, verifier } = newVerifier();
    const { returned, token } = await browser.signOn(beginning(challenge), person);
    assert.equal(returned.status, 303, returned.text);
    const location = returned.headers.get('location') ?? '';
    assert.match(location, new RegExp(`^${ORIGIN}/signed-in#code=`));
    const code = location.slice(location.indexOf('=') + 1);
    return { code, token, session: await exchange({ code, verifier }), verifier };
  }

  async function gatewayOf(person: string): Promise<GatewayClient> {
    const { session } = await signOn(person);
    assert.equal(session.status, 200, JSON.stringify(session.body));
    return new GatewayClient(stack.url, session.body.token, session.body.project_id);
  }

  /** Lets the identity service keep the groups of those who sign on from now on. */
  async function keepGroups(isKept: boolean): Promise<void> {
    if (stack.cloudsim !== null) {
      await new CloudsimControl(stack.cloudsim.url).set({ keepsMappedGroups: isKept });
      return;
    }
    const change = { identity_provider: { authorization_ttl: isKept ? 60 : 0 } };
    await admin.call('identity', 'PATCH', '/OS-FEDERATION/identity_providers/testidp', change);
  }

  it('leads from the page of a dashboard to the projects', async () => {
    const browser = new TestBrowser();
    const { code, session, token, verifier } = await signOn('erin', browser);

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
      return status === 401 || status === 404 ? true : undefined;
    });
    assert.equal((await gateway.request('POST', '/api/auth/logout')).status, 204);
    assert.equal((await gateway.request('GET', '/api/auth/me')).status, 401);
  });

  it('switches to another project of the user', async () => {
    const gateway = await gatewayOf('frank');
    const projects = await gateway.read<{ id: string; name: string }[]>('/api/auth/projects');
    assert.deepEqual(projects.map(({ name }) => name).sort(), ['admin', 'demo']);
    const other = projects.find(({ id }) => id !== gateway.projectId);

    const switched = await gateway.request<Session>('POST', '/api/auth/token', { project_id: other?.id });

    assert.deepEqual([switched.status, switched.body.project_id], [200, other?.id]);
  });

  it('accepts no code twice, or from another browser', async () => {
    const used = await signOn('erin');
    const again = await exchange({ code: used.code, verifier: used.verifier });
    const stolen = await new TestBrowser().signOn(beginning(newVerifier().challenge), 'erin');
    const code = (stolen.returned.headers.get('location') ?? '').split('#code=')[1];
    const byThief = await exchange({ code, verifier: newVerifier().verifier });

    assert.equal(used.session.status, 200);
    for (const { body, status } of [again, byThief]) {
      assert.deepEqual([status, body.code], [401, 'invalid_sign_on']);
    }
  });

  it('accepts no form from a browser that has not begun', async () => {
    const { token } = await new TestBrowser().signOn(beginning(newVerifier().challenge), 'erin');
    const origin = new URL(realPages ?? stack.cloudsim?.url ?? '').origin;

    const forged = await new TestBrowser().send(`${stack.url}/api/auth/sso/callback`, {
      form: { token },
      origin,
    });

    assert.equal(forged.status, 401);
    assert.equal(forged.headers.get('location'), null);
  });

  it('lets users create instances, whose jobs work with their tokens', async () => {
    const gateway = await gatewayOf('erin');
    const request = await gateway.smallInstanceRequest(`e2e-sso-${randomUUID().slice(0, 8)}`);

    const last = (await gateway.messagesOfCreation(request)).at(-1);

    assert.equal(last?.step, 'COMPLETED', last?.error ?? '');
    const metrics = await (await fetch(`${stack.url}/api/metrics`)).text();
    assert.match(metrics, /^gateway_delegations_total\{outcome="single_sign_on"\} 1$/m);
    const deleted = await gateway.request('DELETE', `/api/instances/${last?.instance_id}`);
    assert.equal(deleted.status, 204, deleted.text);
  });

  it('says what auto backups need, which work once groups are kept', async () => {
    const gateway = await gatewayOf('erin');
    const volume = await gateway.request<{ id: string }>('POST', '/api/volumes', {
      name: 'e2e-sso',
      size_gb: 1,
    });
    assert.equal(volume.status, 201, volume.text);
    const path = `/api/volumes/${volume.body.id}`;
    const autoBackup = autoBackupPath(volume.body.id);
    const settings = { schedule: HOURLY };
    try {
      const refused = await gateway.request<{ detail: string }>('POST', autoBackup, settings);
      assert.equal(refused.status, 403, refused.text);
      assert.match(refused.body.detail, /single sign-on.*`authorization_ttl` of the identity provider/);
      // The real service caches for ten minutes that the user has no roles of their own.
      if (isRealCloud()) return;
      await keepGroups(true);
      const later = await gatewayOf('erin');

      const accepted = await later.request('POST', autoBackup, settings);

      assert.ok(accepted.status < 300, accepted.text);
      const removed = await later.request('DELETE', autoBackup);
      assert.ok(removed.status < 300, removed.text);
    } finally {
      await keepGroups(false);
      await eventually(async () => {
        const { status } = await gateway.request('DELETE', path);
        return status === 204 || status === 404 ? true : undefined;
      });
    }
  });

  it('says what clusters with plugins need', async function () {
    if (isRealCloud()) return this.skip();
    // The simulated cloud keeps the groups of whoever has signed on meanwhile.
    const gateway = await gatewayOf('frank');

    const refused = await gateway.request<{ detail: string }>('POST', '/api/lite/clusters/async', {
      name: 'e2e-sso',
      agent_count: 1,
    });

    assert.equal(refused.status, 403, refused.text);
    assert.match(refused.body.detail, /application credential.*`default_authorization_ttl`/);
  });
});
