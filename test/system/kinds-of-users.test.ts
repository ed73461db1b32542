import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Stack, StackOptions } from '../../scripts/stack.ts';
import { writeConfigFile } from '../../scripts/stack-environment.ts';
import { CloudClient } from '../support/clients/cloud-client.ts';
import { CloudsimControl } from '../support/clients/cloudsim-control.ts';
import { Dashboard } from '../support/clients/dashboard.ts';
import { GatewayClient, messagesOf } from '../support/clients/gateway-client.ts';
import { openStream } from '../support/clients/sse-client.ts';
import { eventually } from '../support/eventually.ts';
import { ControlNode } from '../support/lite/control-node.ts';
import { prepareRole } from '../support/projects/prepared-cloud.ts';
import { type PreparedMember, prepareMember } from '../support/projects/prepared-member.ts';
import { requirePasscode } from '../support/projects/second-factor.ts';
import { freshKeyPrefix } from '../support/redis/test-redis.ts';
import { isRealCloud, startTestStack, type TestLogin, testLogin } from '../support/stacks/test-stack.ts';
import { autoBackupPath, dueInHours } from '../support/subjects/auto-backups.ts';

interface Answer {
  code?: string;
  detail?: string;
  receipt?: string;
  missing_methods?: string[];
  token: string;
  project_id: string;
}

interface Kind {
  /** Returns the session, or why this cloud has no such user. */
  logIn(): Promise<GatewayClient | string>;
  /** Why the user has no auto backup, and who can change that; null if they have. */
  autoBackup: string | null;
  /** The same for a cluster with plugins. */
  plugins: string | null;
}

interface Credential {
  id: string;
  secret: string;
}

const CREDENTIALS = '/api/auth/application-credentials';
/** A busy real cloud takes minutes for a cluster. */
const TIMEOUT_MS = 240_000;
const MAPPED_ROLES =
  'your roles come from single sign-on, and the identity service passes on only roles that it stores. ' +
  'Please ask an administrator of the cloud to set `authorization_ttl` of the identity provider, or ' +
  '`default_authorization_ttl` of the identity service, and log in again, ' +
  'or ask for a role of your own in the project.';
const NO_AUTO_BACKUP = 'An auto backup works with a delegation, but';
const NEEDED = 'The plugins of a cluster need an application credential of yours';
const NO_PLUGINS = `${NEEDED}, which the identity service refuses:`;
const MULTI_FACTOR =
  'The multi-factor rules of the user do not accept log-ins by application credential. ' +
  'Please ask an administrator of the cloud to add the rule ["application_credential"] to `multi_factor_auth_rules` of the user.';

const KINDS: Record<string, (suite: Suite) => Kind> = {
  'a password': (suite) => ({
    logIn: async () => GatewayClient.logIn(suite.url, (await suite.newMember()).login),
    autoBackup: null,
    plugins: null,
  }),
  'a password and a passcode': (suite) => ({
    logIn: () => suite.logInWithPasscode({ mayUseCredentials: false }),
    autoBackup: null,
    plugins: `${NEEDED}. ${MULTI_FACTOR}`,
  }),
  'a passcode, and a rule for credentials': (suite) => ({
    logIn: () => suite.logInWithPasscode({ mayUseCredentials: true }),
    autoBackup: null,
    plugins: null,
  }),
  'a password that has expired': (suite) => ({
    logIn: () => suite.logInAfterExpiry(),
    autoBackup: null,
    plugins: null,
  }),
  'an application credential': (suite) => ({
    logIn: () => suite.logInAsProgram(),
    autoBackup:
      `${NO_AUTO_BACKUP} the token is of an application credential, which may not delegate. ` +
      'Please use the token of a log-in.',
    plugins:
      `${NO_PLUGINS} the token is itself of an application credential, which may not create others. ` +
      'Please use the token of a log-in.',
  }),
  'single sign-on': (suite) => ({
    logIn: () => suite.signOn(),
    autoBackup: `${NO_AUTO_BACKUP} ${MAPPED_ROLES}`,
    plugins: `${NO_PLUGINS} ${MAPPED_ROLES}`,
  }),
};

/** The gateway with an api whose clusters have no plugins, and one whose clusters have some. */
class Suite {
  readonly stack: Stack;
  readonly withPlugins: string;
  readonly admin: CloudClient;
  readonly #demo: CloudClient;
  readonly #isTrusted: boolean;
  readonly #configFile: string;
  readonly #atEnd: (() => Promise<unknown>)[] = [];

  private constructor(parts: {
    stack: Stack;
    withPlugins: string;
    admin: CloudClient;
    demo: CloudClient;
    isTrusted: boolean;
    configFile: string;
  }) {
    this.stack = parts.stack;
    this.withPlugins = parts.withPlugins;
    this.admin = parts.admin;
    this.#demo = parts.demo;
    this.#isTrusted = parts.isTrusted;
    this.#configFile = parts.configFile;
  }

  static async start(): Promise<Suite> {
    const isTrusted = Dashboard.isAvailable();
    const signOn: StackOptions = isTrusted ? Dashboard.options() : {};
    const lite = {
      image: 'debian-12',
      server_flavor: 'm1.tiny',
      agent_flavor: 'm1.tiny',
      server_volume_size_gb: 1,
    };
    const config = {
      ...signOn.config,
      lite,
      redis: { key_prefix: freshKeyPrefix('stack') },
      rate_limits: { login: 0, lite_create: 0, instance_create: 0, callback: 0 },
    };
    const stack = await startTestStack({
      ...signOn,
      ...(!isRealCloud() && { cloudsimEnv: { CLOUDSIM_DELAY_SCALE: '0.05' } }),
      config,
    });
    const configFile = writeConfigFile({
      ...config,
      lite: { ...lite, plugins: { block_csi_enabled: true } },
    });
    try {
      const { url } = await stack.addApi({ GATEWAY_CONFIG: configFile });
      if (stack.cloudsim !== null) {
        await new CloudsimControl(stack.cloudsim.url).set({ guest: { clusterOutcome: 'silent' } });
      }
      if (isTrusted) await Dashboard.trust(stack);
      const admin = await CloudClient.logIn(stack.identityUrl ?? '', testLogin('admin'));
      const demo = await CloudClient.logIn(stack.identityUrl ?? '', testLogin('demo'));
      return new Suite({ stack, withPlugins: url, admin, demo, isTrusted, configFile });
    } catch (error) {
      await stack.stop();
      throw error;
    }
  }

  get url(): string {
    return this.stack.url;
  }

  async stop(): Promise<void> {
    try {
      for (const remove of this.#atEnd.reverse()) await remove();
    } finally {
      await this.stack.stop();
      rmSync(dirname(this.#configFile), { recursive: true, force: true });
    }
  }

  /** A new user, who is a member of the project `demo`. */
  async newMember(): Promise<PreparedMember> {
    const member = await prepareMember(this.stack.identityUrl ?? '', this.admin);
    this.#atEnd.push(() => member.remove());
    const { userId } = member.cloud;
    await prepareRole(this.admin, { userId, projectId: this.#demo.projectId, role: 'member' });
    return { ...member, login: { ...member.login, projectName: testLogin('demo').projectName } };
  }

  async logInWithPasscode({ mayUseCredentials }: { mayUseCredentials: boolean }) {
    const { cloud, login } = await this.newMember();
    const member = await GatewayClient.logIn(this.url, login);
    const earlier = await this.#newCredential(member, 'e2e-earlier');
    const rules = mayUseCredentials ? [['application_credential']] : [];
    const currentPasscode = await requirePasscode(this.admin, cloud.userId, rules);
    const first = await this.#withPassword(login);
    if (first.status === 200) return 'the identity service is not configured to accept passcodes';
    assert.deepEqual([first.status, first.body.code], [401, 'totp_required'], first.text);
    assert.deepEqual(first.body.missing_methods, ['totp']);
    const { receipt } = first.body;
    const proceed = (code: string) => this.#send('POST', '/api/auth/login', { receipt, passcode: code });

    const passcode = currentPasscode();
    const wrong = await proceed(passcode === '000000' ? '000001' : '000000');
    const right = await proceed(passcode);
    const used = await proceed(passcode);

    assert.deepEqual([wrong.status, wrong.body.code], [401, 'wrong_passcode'], wrong.text);
    assert.equal(right.status, 200, right.text);
    assert.deepEqual([used.status, used.body.code], [401, 'wrong_passcode'], used.text);
    const user = this.#sessionOf(right.body);
    await this.#triesCredentials(user, earlier, mayUseCredentials);
    return user;
  }

  /** Logs in with a credential that is older than the rules of the user, and creates another one. */
  async #triesCredentials(user: GatewayClient, earlier: Credential, isAccepted: boolean): Promise<void> {
    const program = await this.#send('POST', '/api/auth/login', { application_credential: earlier });
    const rules = [{ service: 'compute', method: 'GET', path: `/v2.1/${randomUUID()}` }];
    const created = await user.request<Answer>('POST', CREDENTIALS, {
      name: 'e2e-later',
      access_rules: rules,
    });

    if (isAccepted) return assert.deepEqual([program.status, created.status], [200, 201], program.text);
    for (const { body, status } of [program, created])
      assert.deepEqual([status, body.code, body.detail], [403, 'auth_method_unsupported', MULTI_FACTOR]);
    const left = await user.read<{ name: string }[]>(CREDENTIALS);
    assert.deepEqual(
      left.map(({ name }) => name),
      ['e2e-earlier'],
    );
  }

  async #newCredential(member: GatewayClient, name: string): Promise<Credential> {
    const { body, status } = await member.request<Credential & Answer>('POST', CREDENTIALS, { name });
    assert.equal(status, 201, body.detail);
    return { id: body.id, secret: body.secret };
  }

  async logInAfterExpiry(): Promise<GatewayClient | string> {
    const login = await this.#expiredLogin();
    const refused = await this.#withPassword(login);
    if (refused.body.code !== 'password_expired')
      return `the password of the user ${login.username} has not expired in this cloud`;
    const { password, username } = login;
    if (isRealCloud()) this.#atEnd.push(() => this.#setPassword(username, password));
    const change = (current: string) =>
      this.#send('PUT', '/api/auth/expired-password', {
        username,
        current_password: current,
        new_password: `${password}-new`,
      });

    const wrong = await change('wrong');
    const right = await change(password);

    assert.deepEqual([wrong.status, wrong.body.code], [401, 'unauthorized'], wrong.text);
    assert.equal(right.status, 200, right.text);
    assert.equal(right.body.token, undefined);
    assert.equal((await this.#withPassword(login)).body.code, 'unauthorized');
    const again = await change(`${password}-new`);
    assert.deepEqual([again.status, again.body.code], [409, 'conflict'], again.text);
    return this.#sessionOf((await this.#withPassword({ ...login, password: `${password}-new` })).body);
  }

  /** A program, which logs in with a credential that a member has created through the gateway. */
  async logInAsProgram(): Promise<GatewayClient> {
    const member = await GatewayClient.logIn(this.url, (await this.newMember()).login);
    const { id, secret } = await this.#newCredential(member, 'e2e-program');
    // The identity service compares the first 72 characters only.
    const wrong = { id, secret: `-${secret}` };

    const refused = await this.#send('POST', '/api/auth/login', { application_credential: wrong });
    const answer = await this.#send('POST', '/api/auth/login', { application_credential: { id, secret } });

    assert.deepEqual([refused.status, refused.body.code], [401, 'unauthorized'], refused.text);
    assert.equal(answer.status, 200, answer.text);
    return this.#sessionOf(answer.body);
  }

  async signOn(): Promise<GatewayClient | string> {
    return this.#isTrusted ? new Dashboard(this.stack).gatewayOf('erin') : 'it has no single sign-on';
  }

  /** The text, which failing assertions print, leaves out the token. */
  async #send(method: string, path: string, input: object) {
    const { body, status } = await new GatewayClient(this.url, '', '').request<Answer>(method, path, input);
    return { body, status, text: `${status} ${body.code}: ${body.detail}` };
  }

  #withPassword({ username, password, projectName }: TestLogin) {
    return this.#send('POST', '/api/auth/login', { username, password, project_name: projectName });
  }

  #sessionOf({ project_id, token }: Answer): GatewayClient {
    return new GatewayClient(this.url, token, project_id);
  }

  /** No request makes a password of a real cloud expire. The test cloud has a user for this. */
  async #expiredLogin(): Promise<TestLogin> {
    if (isRealCloud()) return { username: 'expired', password: 'expired-secret', projectName: 'demo' };
    const { cloud, login } = await this.newMember();
    const control = new CloudsimControl(this.stack.cloudsim?.url ?? '');
    await control.set({ changePasswordUponFirstUse: true });
    const user = { password: login.password };
    await this.admin.call('identity', 'PATCH', `/users/${cloud.userId}`, { user });
    await control.set({ changePasswordUponFirstUse: false });
    return login;
  }

  async #setPassword(username: string, password: string): Promise<void> {
    const path = `/users?name=${username}&domain_id=default`;
    const { users } = await this.admin.call<{ users: { id: string }[] }>('identity', 'GET', path);
    await this.admin.call('identity', 'PATCH', `/users/${users[0]?.id}`, { user: { password } });
  }
}

describe('a user with', function () {
  this.timeout(600_000);
  let suite: Suite;

  before(async () => {
    suite = await Suite.start();
  });

  after(() => suite?.stop());

  for (const [title, kindIn] of Object.entries(KINDS)) {
    describe(title, () => {
      let user: GatewayClient | undefined;
      const kind = (): Kind => kindIn(suite);

      it('logs in', async function () {
        const session = await kind().logIn();
        if (typeof session === 'string') {
          process.stderr.write(`      SKIPPED: ${title}: ${session}\n`);
          return this.skip();
        }
        const projects = await session.read<{ id: string }[]>('/api/auth/projects');
        assert.ok(projects.some(({ id }) => id === session.projectId));
        user = session;
      });

      it('creates and deletes an instance', async function () {
        if (user === undefined) return this.skip();
        const last = (await user.messagesOfCreation(await user.smallInstanceRequest(freshName()))).at(-1);

        assert.equal(last?.step, 'COMPLETED', last?.error ?? '');
        const deleted = await user.request('DELETE', `/api/instances/${last?.instance_id}`);
        assert.equal(deleted.status, 204, deleted.text);
      });

      it('has auto backups, or learns what they need', async function () {
        if (user === undefined) return this.skip();
        await triesAutoBackup(user, kind().autoBackup);
      });

      it('creates the machine of a lite cluster', async function () {
        if (user === undefined) return this.skip();
        await startsCluster(user);
      });

      it('creates one with plugins, or learns what these need', async function () {
        if (user === undefined) return this.skip();
        const refusal = kind().plugins;
        const there = user.at(suite.withPlugins);
        if (refusal === null) return startsCluster(there);
        const refused = await there.request('POST', '/api/lite/clusters/async', clusterRequest());
        assertRefused(refused, refusal);
      });
    });
  }

  async function triesAutoBackup(user: GatewayClient, refusal: string | null): Promise<void> {
    const volume = await user.request<{ id: string }>('POST', '/api/volumes', {
      name: freshName(),
      size_gb: 1,
    });
    assert.equal(volume.status, 201, volume.text);
    const path = autoBackupPath(volume.body.id);
    try {
      const answer = await user.request('POST', path, { schedule: dueInHours(12) });

      if (refusal !== null) return assertRefused(answer, refusal);
      assert.equal(answer.status, 201, answer.text);
      const removed = await user.request('DELETE', path);
      assert.ok(removed.status < 300, removed.text);
    } finally {
      await eventually(async () => {
        const { status } = await user.request('DELETE', `/api/volumes/${volume.body.id}`);
        return status === 204 || status === 404;
      });
    }
  }

  /** Creates a cluster up to its machine: it waits for the report of the machine, which the test sends. */
  async function startsCluster(user: GatewayClient): Promise<void> {
    const request = clusterRequest();
    const stream = await openStream(`${user.url}/api/lite/clusters/async`, {
      method: 'POST',
      headers: user.headers(),
      body: request,
    });
    const jobId = stream.headers.get('x-job-id');
    const error = await eventually(async () => {
      const job = await user.read<{ step: string; error: string | null }>(`/api/jobs/${jobId}`);
      if (job.error !== null) return job.error;
      return job.step === 'waiting_callback' ? 'none' : undefined;
    }, TIMEOUT_MS);
    assert.equal(error, 'none');
    const servers = await user.read<{ id: string; name: string }[]>('/api/instances?refresh=true');
    const server = servers.find(({ name }) => name === `${request.name}-server`);
    const controlNode = await ControlNode.of(suite.admin, server?.id ?? '');

    assert.equal(await controlNode.fails('the test ends'), 200);

    // Everything that the creation has made is removed.
    const last = (await messagesOf(stream)).at(-1);
    assert.equal(last?.code, 'lite_install_failed', last?.error ?? '');
  }
});

function freshName(): string {
  return `e2e-${randomUUID().slice(0, 8)}`;
}

function clusterRequest(): { name: string; agent_count: number } {
  return { name: freshName(), agent_count: 0 };
}

function assertRefused({ body, status, text }: { body: unknown; status: number; text: string }, why: string) {
  assert.equal(status, 403, text);
  assert.equal((body as Answer).detail, why);
}
