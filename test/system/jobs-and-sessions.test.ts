import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { CloudsimControl } from '../support/clients/cloudsim-control.ts';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { checkHealth, deleteCluster, readCluster } from '../support/lite/clusters.ts';
import { LiteProject } from '../support/lite/lite-project.ts';
import { isRealCloud, simulatedCloud } from '../support/stacks/test-stack.ts';

const TIMEOUT_MS = 240_000;
const config = { lite: { plugins: { block_csi_enabled: true } }, jobs: { sweep_seconds: 1 } };

interface Job {
  id: string;
  status: string;
  error: string | null;
}

/** A project whose member starts jobs, ends the session at once, and observes the jobs. */
class Sessions {
  readonly project: LiteProject;
  #password: string;

  private constructor(project: LiteProject) {
    this.project = project;
    this.#password = project.member.login.password;
  }

  static async start(options: Parameters<typeof LiteProject.start>[0] = {}): Promise<Sessions> {
    return new Sessions(await LiteProject.start({ config, ...options }));
  }

  /** Log-ins in the second of a new password are refused. */
  logIn(): Promise<GatewayClient> {
    const login = { ...this.project.member.login, password: this.#password };
    return eventually(async () => {
      const session = await GatewayClient.logIn(this.project.stack.url, login);
      return (await session.request('GET', '/api/networks')).status === 200 ? session : undefined;
    });
  }

  async logOut(session: GatewayClient): Promise<void> {
    assert.equal((await session.request('POST', '/api/auth/logout')).status, 204);
  }

  /** From another session, which then logs out. */
  async endElsewhere(session: GatewayClient): Promise<void> {
    const other = await this.logIn();
    const { body } = await session.request<{ id: string; is_current: boolean }[]>(
      'GET',
      '/api/auth/sessions',
    );
    const id = body.find(({ is_current }) => is_current)?.id;
    const answer = await other.request('DELETE', `/api/auth/sessions/${id}`);
    assert.equal(answer.status, 204, answer.text);
    await this.logOut(other);
  }

  async changePassword(session: GatewayClient): Promise<void> {
    const password = randomUUID();
    const body = { current_password: this.#password, new_password: password };
    const answer = await session.request('PUT', '/api/profile/password', body);
    assert.equal(answer.status, 200, answer.text);
    this.#password = password;
  }

  /** Requests an instance, and returns the id of the job. */
  async create(session: GatewayClient): Promise<string> {
    const body = {
      ...(await this.project.colleague.smallInstanceRequest(`e2e-${randomUUID().slice(0, 8)}`)),
      network_id: this.project.networkId,
    };
    const stream = await session.createInstance(body);
    stream.close();
    return stream.headers.get('x-job-id') ?? '';
  }

  async completed(jobId: string): Promise<void> {
    const { status, error } = await this.ended(jobId);
    assert.equal(status, 'completed', error ?? '');
  }

  ended(jobId: string): Promise<Job> {
    return eventually(async () => {
      const job = await this.project.colleague.read<Job>(`/api/jobs/${jobId}`);
      return ['queued', 'running'].includes(job.status) ? undefined : job;
    }, TIMEOUT_MS);
  }

  async instanceId(): Promise<string> {
    const [server] = await this.project.colleague.read<{ id: string }[]>('/api/instances?refresh=true');
    return server?.id ?? '';
  }

  /** Whether the identity service accepts the token. */
  async isValid({ token }: GatewayClient): Promise<boolean> {
    const url = `${this.project.stack.identityUrl?.replace(/\/v3\/?$/, '')}/v3/auth/tokens`;
    const response = await fetch(url, { headers: { 'x-auth-token': token, 'x-subject-token': token } });
    return response.status === 200;
  }

  /** Neither resources, nor trusts, nor application credentials, nor the token of the session. */
  async leavesNothing(session: GatewayClient): Promise<void> {
    const { admin, member } = this.project;
    await this.project.hasOnly();
    await eventually(async () => {
      const { trusts } = await admin.call<{ trusts: { id: string }[] }>(
        'identity',
        'GET',
        `/OS-TRUST/trusts?trustor_user_id=${member.cloud.userId}`,
      );
      assert.deepEqual(trusts, []);
      assert.deepEqual(await this.project.credentials(), []);
      assert.equal(await this.isValid(session), false);
      return true;
    });
  }

  stop(): Promise<void> {
    return this.project.stop();
  }
}

const endings = {
  'a log-out': (sessions: Sessions, session: GatewayClient) => sessions.logOut(session),
  'its end in another session': (sessions: Sessions, session: GatewayClient) =>
    sessions.endElsewhere(session),
  'a new password': (sessions: Sessions, session: GatewayClient) => sessions.changePassword(session),
};

describe('an accepted job', function () {
  this.timeout(900_000);
  let sessions: Sessions;

  before(async () => {
    sessions = await Sessions.start();
  });
  after(() => sessions?.stop());

  for (const [ending, end] of Object.entries(endings)) {
    it(`continues after ${ending}: the creation of an instance, and its deletion`, async () => {
      const creator = await sessions.logIn();
      const jobId = await sessions.create(creator);
      await end(sessions, creator);
      await sessions.completed(jobId);

      const deleter = await sessions.logIn();
      const answer = await deleter.request('DELETE', `/api/instances/${await sessions.instanceId()}`);
      assert.equal(answer.status, 204, answer.text);
      await end(sessions, deleter);

      await sessions.leavesNothing(creator);
      await sessions.leavesNothing(deleter);
    });

    it(`continues after ${ending}: the creation of a cluster, and its deletion`, async () => {
      const creator = await sessions.logIn();
      const creation = await sessions.project.create({ agent_count: 0 }, creator);
      await end(sessions, creator);
      const node = await sessions.project.controlNode(creation);
      assert.equal(await node.succeeds(), 200);
      await sessions.completed(creation.jobId);
      await eventually(async () => {
        const names = await sessions.project.credentials();
        assert.equal(names.length, 1, names.join());
        return true;
      });

      const deleter = await sessions.logIn();
      assert.equal((await deleteCluster(deleter, creation.clusterId)).status, 204);
      await end(sessions, deleter);

      await sessions.project.cleanedUp(creation.clusterId);
      await sessions.leavesNothing(deleter);
    });
  }

  it('without a delegation revokes its token after a log-out and its end', async () => {
    const session = await sessions.logIn();
    const caller = await withApplicationCredential(sessions, session);
    const jobId = await sessions.create(caller);

    await sessions.logOut(caller);

    const refused = await caller.request<{ code: string }>('GET', '/api/instances');
    assert.deepEqual([refused.status, refused.body.code], [401, 'session_expired']);
    await sessions.completed(jobId);
    await eventually(async () => !(await sessions.isValid(caller)));
    await session.request('DELETE', `/api/instances/${await sessions.instanceId()}`);
    await removeCredentials(sessions);
    await sessions.logOut(session);
    await sessions.leavesNothing(session);
  });
});

describe('a job of a program', function () {
  this.timeout(600_000);
  let sessions: Sessions;

  before(async () => {
    sessions = await Sessions.start();
  });
  after(() => sessions?.stop());

  it('outlives its session and its token: creation and deletion', async () => {
    const person = await sessions.logIn();
    const login = await createCredential(person);
    const creator = await logInProgram(person, login);
    const jobId = await sessions.create(creator);
    await sessions.logOut(creator);
    assert.equal(await sessions.isValid(creator), false);
    await sessions.completed(jobId);

    const deleter = await logInProgram(person, login);
    const answer = await deleter.request('DELETE', `/api/instances/${await sessions.instanceId()}`);
    assert.equal(answer.status, 204, answer.text);
    await sessions.logOut(deleter);

    await sessions.project.hasOnly();
    const removed = await person.request('DELETE', `/api/auth/application-credentials/${login.id}`);
    assert.equal(removed.status, 204, removed.text);
    await sessions.logOut(person);
    await sessions.leavesNothing(person);
  });

  if (!isRealCloud())
    it('fails with the reason when the credential is deleted, and leaves nothing', async () => {
      const control = new CloudsimControl(sessions.project.stack.cloudsim?.url ?? '');
      const person = await sessions.logIn();
      const login = await createCredential(person);
      const program = await logInProgram(person, login);
      const hold = await control.hold('before', { operation: 'servers.create' });
      const jobId = await sessions.create(program);
      assert.equal(await hold.waitUntilReached(60_000), 'held');
      await person.request('DELETE', `/api/auth/application-credentials/${login.id}`);
      await hold.release();

      const { status, error } = await sessions.ended(jobId);

      assert.equal(status, 'failed');
      assert.match(error ?? '', /application credential .* has expired or was deleted/);
      const refused = await program.request<{ code: string }>('GET', '/api/instances');
      assert.deepEqual([refused.status, refused.body.code], [401, 'session_expired']);
      await sessions.project.hasOnly();
      await control.clear();
    });
});

describe('an accepted job, without a service user', function () {
  this.timeout(600_000);
  let sessions: Sessions;

  before(async () => {
    sessions = await Sessions.start({ env: withoutServiceUser });
  });
  after(() => sessions?.stop());

  it("continues after a log-out: an instance's creation and deletion", async () => {
    const creator = await sessions.logIn();
    const jobId = await sessions.create(creator);
    await sessions.logOut(creator);
    await sessions.completed(jobId);

    const deleter = await sessions.logIn();
    await deleter.request('DELETE', `/api/instances/${await sessions.instanceId()}`);
    await sessions.logOut(deleter);

    await sessions.leavesNothing(creator);
    await sessions.leavesNothing(deleter);
  });

  it('continues after a log-out: the creation of a cluster', async () => {
    const creator = await sessions.logIn();
    const creation = await sessions.project.create({ agent_count: 0 }, creator);
    await sessions.logOut(creator);
    const node = await sessions.project.controlNode(creation);
    assert.equal(await node.succeeds(), 200);
    await sessions.completed(creation.jobId);

    const deleter = await sessions.logIn();
    await deleteCluster(deleter, creation.clusterId);
    await sessions.project.cleanedUp(creation.clusterId);
    await sessions.logOut(deleter);
    await sessions.leavesNothing(creator);
    await sessions.leavesNothing(deleter);
  });
});

describe('a person who has lost the role in the project', function () {
  this.timeout(600_000);
  let sessions: Sessions;

  before(async () => {
    sessions = await Sessions.start();
  });
  afterEach(() => sessions.project.member.setRole(true));
  after(() => sessions?.stop());

  it('leaves a cluster that says so, until the role is back', async () => {
    const { colleague, member } = sessions.project;
    const cluster = await sessions.project.createActive({ agent_count: 0 });
    const reason = async () => {
      await checkHealth(colleague, cluster.id);
      return (await readCluster(colleague, cluster.id)).status_reason ?? '';
    };
    assert.doesNotMatch(await reason(), /has lost/);

    await member.setRole(false);
    assert.match(await reason(), /has lost the account or the role/);
    await member.setRole(true);
    assert.doesNotMatch(await reason(), /has lost/);

    await deleteCluster(colleague, cluster.id);
    await sessions.project.cleanedUp(cluster.id);
  });

  if (!isRealCloud())
    it('ends no deletion in progress', async () => {
      const control = new CloudsimControl(sessions.project.stack.cloudsim?.url ?? '');
      const session = await sessions.logIn();
      await sessions.completed(await sessions.create(session));
      const hold = await control.hold('before', { service: 'network', method: 'DELETE' });
      const answer = session.request('DELETE', `/api/instances/${await sessions.instanceId()}`);
      assert.equal(await hold.waitUntilReached(60_000), 'held');
      await sessions.project.member.setRole(false);

      await hold.release();

      assert.equal((await answer).status, 204);
      await sessions.project.hasOnly();
    });

  if (!isRealCloud())
    it('ends a creation in progress, of which nothing is left', async () => {
      const control = new CloudsimControl(sessions.project.stack.cloudsim?.url ?? '');
      const session = await sessions.logIn();
      const hold = await control.hold('before', { operation: 'servers.create' });
      const jobId = await sessions.create(session);
      assert.equal(await hold.waitUntilReached(60_000), 'held');
      await sessions.project.member.setRole(false);
      await hold.release();

      const { status, error } = await sessions.ended(jobId);

      assert.equal(status, 'failed');
      assert.match(error ?? '', /has lost the account or the role/);
      await sessions.project.hasOnly();
    });
});

if (!isRealCloud())
  describe('the token that an ended session has left to a job', function () {
    this.timeout(300_000);
    let sessions: Sessions;
    let control: CloudsimControl;

    before(async () => {
      sessions = await Sessions.start({
        ...simulatedCloud,
        env: withoutServiceUser,
        config: { ...config, jobs: { sweep_seconds: 1, lock_seconds: 2 } },
      });
      control = new CloudsimControl(sessions.project.stack.cloudsim?.url ?? '');
    });
    afterEach(() => control.clear());
    after(() => sessions?.stop());

    it('is revoked by another worker if the first dies', async () => {
      const session = await sessions.logIn();
      const creation = await sessions.create(session);
      const hold = await control.hold('before', { operation: 'tokens.revoke' });
      await sessions.logOut(session);
      const [worker] = sessions.project.stack.workers;
      assert.equal(await hold.waitUntilReached(60_000), 'held');
      await worker?.kill('SIGKILL');
      await eventually(async () => (await hold.waitUntilReached(0)) === 'abandoned');
      assert.equal(await sessions.isValid(session), true);

      await worker?.restart();

      await sessions.completed(creation);
      await eventually(async () => !(await sessions.isValid(session)));
      const other = await sessions.logIn();
      await other.request('DELETE', `/api/instances/${await sessions.instanceId()}`);
      await sessions.project.hasOnly();
    });

    it('is needed by both of two jobs, and revoked after the second', async () => {
      const session = await sessions.logIn();
      const hold = await control.hold('before', { operation: 'servers.create' });
      const first = await sessions.create(session);
      assert.equal(await hold.waitUntilReached(60_000), 'held');
      const second = await sessions.create(session);
      await sessions.logOut(session);
      await sessions.completed(second);
      assert.equal(await sessions.isValid(session), true);

      await hold.release();

      await sessions.completed(first);
      await eventually(async () => !(await sessions.isValid(session)));
      const other = await sessions.logIn();
      for (const { id } of await other.read<{ id: string }[]>('/api/instances?refresh=true'))
        await other.request('DELETE', `/api/instances/${id}`);
      await sessions.project.hasOnly();
    });

    it('that is lost fails the job, with the reason for no delegation', async () => {
      const session = await sessions.logIn();
      const hold = await control.hold('before', { operation: 'servers.create' });
      const jobId = await sessions.create(session);
      assert.equal(await hold.waitUntilReached(60_000), 'held');
      await sessions.changePassword(session);
      await hold.release();

      const { status, error } = await sessions.ended(jobId);

      assert.equal(status, 'failed');
      assert.match(error ?? '', /expired or was revoked .* no service user .* can configure one/);
      await removeVolumes(sessions);
    });
  });

const withoutServiceUser = {
  GATEWAY_SERVICE_USERNAME: undefined,
  GATEWAY_SERVICE_PASSWORD: undefined,
  GATEWAY_SERVICE_PROJECT: undefined,
};

interface ProgramLogin {
  id: string;
  secret: string;
}

async function createCredential(person: GatewayClient): Promise<ProgramLogin> {
  const answer = await person.request<ProgramLogin>('POST', '/api/auth/application-credentials', {
    name: randomUUID(),
    roles: ['member'],
  });
  assert.equal(answer.status, 201, answer.text);
  return { id: answer.body.id, secret: answer.body.secret };
}

async function logInProgram({ url }: GatewayClient, login: ProgramLogin): Promise<GatewayClient> {
  const anonymous = new GatewayClient(url, '', '');
  const { body, status, text } = await anonymous.request<{ token: string; project_id: string }>(
    'POST',
    '/api/auth/login',
    { application_credential: login },
  );
  assert.equal(status, 200, text);
  return new GatewayClient(url, body.token, body.project_id);
}

/** A client with a token of an application credential of the same user. */
async function withApplicationCredential(
  { project }: Sessions,
  { token, url, projectId }: GatewayClient,
): Promise<GatewayClient> {
  const base = `${project.stack.identityUrl?.replace(/\/v3\/?$/, '')}/v3`;
  const post = (path: string, body: object, headers = {}) =>
    fetch(base + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const made = await post(
    `/users/${project.member.cloud.userId}/application_credentials`,
    { application_credential: { name: randomUUID() } },
    { 'x-auth-token': token },
  );
  const { application_credential } = (await made.json()) as {
    application_credential: { id: string; secret: string };
  };
  const identity = { methods: ['application_credential'], application_credential };
  const answer = await post('/auth/tokens', { auth: { identity } });
  return new GatewayClient(url, answer.headers.get('x-subject-token') ?? '', projectId);
}

async function removeCredentials({ project: { admin, member } }: Sessions): Promise<void> {
  const path = `/users/${member.cloud.userId}/application_credentials`;
  const { application_credentials } = await admin.call<{ application_credentials: { id: string }[] }>(
    'identity',
    'GET',
    path,
  );
  for (const { id } of application_credentials) await admin.call('identity', 'DELETE', `${path}/${id}`);
}

/** Without a service user, nothing has removed the resources of the failed creation. */
async function removeVolumes({ project: { cloud } }: Sessions): Promise<void> {
  const { volumes } = await cloud.call<{ volumes: { id: string }[] }>('volumev3', 'GET', '/volumes');
  for (const { id } of volumes) await cloud.call('volumev3', 'DELETE', `/volumes/${id}`);
}
