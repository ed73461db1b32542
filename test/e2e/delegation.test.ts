import assert from 'node:assert/strict';
import type { Stack } from '../../scripts/stack.ts';
import { CloudClient, type ResourceIds } from '../support/clients/cloud-client.ts';
import { CloudsimControl, type Hold } from '../support/clients/cloudsim-control.ts';
import { GatewayClient, type InstanceMessage, messagesOf } from '../support/clients/gateway-client.ts';
import type { EventStream } from '../support/clients/sse-client.ts';
import { eventually } from '../support/eventually.ts';
import { simulatedCloud, startTestStack, testLogin } from '../support/stacks/test-stack.ts';

const QUICK = {
  jobs: { sweep_seconds: 1, poll_interval_ms: 100, lock_seconds: 2, recheck_seconds: 2 },
  time_limits: { undo_seconds: 5 },
};

/** The result of a job, and its leftovers. */
interface Ended {
  jobId: string;
  last: InstanceMessage | undefined;
}

interface Job {
  status: string;
  error: string | null;
  leftovers: { type: string; id: string; reason: string }[];
}

/** A gateway with its cloud, and methods to end tokens and check for leftovers. */
class World {
  readonly stack: Stack;
  readonly cloud: CloudClient;
  readonly #baseline: ResourceIds;
  readonly #trusts: string[];
  readonly #request: object;

  private constructor(
    stack: Stack,
    cloud: CloudClient,
    found: { census: ResourceIds; trusts: string[]; request: object },
  ) {
    this.stack = stack;
    this.cloud = cloud;
    this.#baseline = found.census;
    this.#trusts = found.trusts;
    this.#request = found.request;
  }

  static async start(options: Parameters<typeof startTestStack>[0]): Promise<World> {
    const stack = await startTestStack(options);
    const cloud = await CloudClient.logIn(stack.identityUrl ?? '', testLogin('demo'));
    const gateway = await GatewayClient.logIn(stack.url, testLogin('demo'));
    const request = await gateway.smallInstanceRequest('e2e-delegation');
    const [census, trusts] = await Promise.all([cloud.resourceIds(), cloud.trusts()]);
    return new World(stack, cloud, { census, trusts, request });
  }

  /** A client with a valid token. */
  logIn(): Promise<GatewayClient> {
    return GatewayClient.logIn(this.stack.url, testLogin('demo'));
  }

  get control(): CloudsimControl {
    return new CloudsimControl(this.stack.cloudsim?.url ?? '');
  }

  createInstance(gateway: GatewayClient): Promise<EventStream> {
    return gateway.createInstance(this.#request);
  }

  /** Revokes the token of a client, as a log-out, a changed password or its expiry would. */
  async endToken({ token }: GatewayClient): Promise<void> {
    const response = await fetch(`${this.stack.identityUrl?.replace(/\/v3\/?$/, '')}/v3/auth/tokens`, {
      method: 'DELETE',
      headers: { 'x-auth-token': token, 'x-subject-token': token },
    });
    assert.equal(response.status, 204);
  }

  /** Requests an instance, and ends the token while the call of `hold` is held. */
  async loseTokenAt(hold: Hold): Promise<Ended> {
    const gateway = await this.logIn();
    const stream = await this.createInstance(gateway);
    assert.equal(await hold.waitUntilReached(60_000), 'held');
    await this.endToken(gateway);
    await hold.release();
    return ended(stream);
  }

  async newServers(): Promise<string[]> {
    return (await this.cloud.resourceIds()).servers.filter((id) => !this.#baseline.servers.includes(id));
  }

  async newVolumes(): Promise<string[]> {
    return (await this.cloud.resourceIds()).volumes.filter((id) => !this.#baseline.volumes.includes(id));
  }

  async newTrusts(): Promise<string[]> {
    return (await this.cloud.trusts()).filter((id) => !this.#trusts.includes(id));
  }

  async job(jobId: string): Promise<Job> {
    return (await this.logIn()).read<Job>(`/api/jobs/${jobId}`);
  }

  /** Asserts that neither resources nor trusts are left. */
  async hasNothingLeft(): Promise<void> {
    await eventually(async () => {
      assert.deepEqual(await this.cloud.resourceIds(), this.#baseline);
      assert.deepEqual(await this.newTrusts(), []);
      return true;
    });
  }

  async removeInstances(): Promise<void> {
    const gateway = await this.logIn();
    for (const id of await this.newServers()) await gateway.request('DELETE', `/api/instances/${id}`);
    await this.hasNothingLeft();
  }
}

async function ended(stream: EventStream): Promise<Ended> {
  const jobId = stream.headers.get('x-job-id') ?? '';
  return { jobId, last: (await messagesOf(stream)).at(-1) };
}

describe('a token that expires before a worker starts the job', function () {
  this.timeout(300_000);
  let world: World;

  before(async () => {
    world = await World.start({ workers: 0 });
  });
  after(() => world?.stack.stop());

  it('does not fail the job, whose delegation ends with it', async () => {
    const gateway = await world.logIn();
    const stream = await world.createInstance(gateway);
    const trusts = await world.newTrusts();
    await world.endToken(gateway);

    await world.stack.addWorker();
    const { last } = await ended(stream);

    assert.equal(trusts.length, 1);
    assert.equal(last?.step, 'COMPLETED', last?.error ?? '');
    assert.deepEqual(await world.newServers(), [last?.instance_id]);
    await eventually(async () => (await world.newTrusts()).length === 0);
    await world.removeInstances();
  });
});

describe('a token that expires in the middle of a creation', function () {
  this.timeout(300_000);
  let world: World;

  before(async () => {
    world = await World.start({ ...simulatedCloud, config: QUICK });
  });
  afterEach(async () => {
    await world?.control.clear();
    await world.control.set({ tokenLifetimeSeconds: 14_400, delayScale: 1 });
    await world.removeInstances();
  });
  after(async () => {
    const logs = [...(world?.stack.apis ?? []), ...(world?.stack.workers ?? [])].flatMap((process) =>
      process.logs(),
    );
    await world?.stack.stop();
    assert.doesNotMatch(logs.join('\n'), /gAAAA|gateway-secret/);
  });

  for (const operation of ['volumes.create', 'volumes.get', 'servers.create', 'floating_ips.create']) {
    it(`has no effect at ${operation}, thanks to the job's delegation`, async () => {
      const { last } = await world.loseTokenAt(await world.control.hold('before', { operation }));

      assert.equal(last?.step, 'COMPLETED', last?.error ?? '');
      await eventually(async () => (await world.newTrusts()).length === 0);
    });
  }

  it("has no effect, however often the delegation's own token is renewed", async () => {
    const hold = await world.control.hold('before', { operation: 'volumes.create' });
    await world.control.clearCalls();
    await world.control.set({ tokenLifetimeSeconds: 2, delayScale: 3 });

    const { last } = await world.loseTokenAt(hold);

    assert.equal(last?.step, 'COMPLETED', last?.error ?? '');
    const calls = await world.control.calls();
    const signIns = calls.filter(({ operation }) => operation === 'tokens.create').length;
    assert.ok(signIns > 4, `${signIns} sign-ins`);
  });

  for (const operation of ['servers.create', 'floating_ips.create']) {
    it(`makes the service account roll back at ${operation} without a delegation`, async () => {
      await world.control.addFault({ operation: 'trusts.create', status: 403 });

      const { jobId, last } = await world.loseTokenAt(await world.control.hold('before', { operation }));

      assert.deepEqual([last?.step, last?.code], ['FAILED', 'token_expired']);
      await world.hasNothingLeft();
      const { error, leftovers } = await world.job(jobId);
      assert.match(error ?? '', /token .* expired/);
      assert.deepEqual(leftovers, []);
    });
  }

  it('leaves no delegation, even if its first deletion fails', async () => {
    await world.control.clearCalls();
    await world.control.addFault({ operation: 'trusts.delete', status: 500 });
    const stream = await world.createInstance(await world.logIn());

    const { last } = await ended(stream);

    assert.equal(last?.step, 'COMPLETED', last?.error ?? '');
    await eventually(async () => (await world.newTrusts()).length === 0);
    const removals = (await world.control.calls()).filter(({ operation }) => operation === 'trusts.delete');
    assert.deepEqual(
      removals.map(({ status }) => status),
      [500, 204],
    );
  });

  it('leaves no delegation if the api dies before queueing the job', async () => {
    const hold = await world.control.hold('after', { operation: 'trusts.create' });
    const gateway = await world.logIn();
    const lost = assert.rejects(world.createInstance(gateway));
    assert.equal(await hold.waitUntilReached(60_000), 'held');
    // Later, a worker may have revoked it already.
    assert.equal((await world.newTrusts()).length, 1);
    const [api] = world.stack.apis;

    await api?.kill('SIGKILL');
    await hold.release();
    await lost;
    await api?.restart();

    await world.hasNothingLeft();
  });

  it('makes the service account finish a deletion without a delegation', async () => {
    await ended(await world.createInstance(await world.logIn()));
    const [instanceId] = await world.newServers();
    await world.control.addFault({ operation: 'trusts.create', status: 403 });
    const hold = await world.control.hold('before', { operation: 'floating_ips.delete' });
    const gateway = await world.logIn();

    const answer = await gateway.request('DELETE', `/api/instances/${instanceId}`);
    assert.equal(await hold.waitUntilReached(60_000), 'held');
    await world.endToken(gateway);
    await hold.release();

    assert.equal(answer.status, 204);
    await world.hasNothingLeft();
  });

  it('makes the service account search for a resource of unknown state', async () => {
    await world.control.addFault({ operation: 'trusts.create', status: 403 });
    const hold = await world.control.hold('after', { operation: 'servers.create' });
    const worker = world.stack.workers[0];
    const gateway = await world.logIn();
    const stream = await world.createInstance(gateway);
    assert.equal(await hold.waitUntilReached(60_000), 'held');

    await worker?.kill('SIGKILL');
    await world.endToken(gateway);
    await hold.release();
    await worker?.restart();
    const { last } = await ended(stream);

    assert.deepEqual([last?.step, last?.code], ['FAILED', 'token_expired']);
    await world.hasNothingLeft();
  });
});

describe('a token that expires during a creation, without a service user', function () {
  this.timeout(300_000);
  let world: World;

  before(async () => {
    const env = {
      GATEWAY_SERVICE_USERNAME: undefined,
      GATEWAY_SERVICE_PASSWORD: undefined,
      GATEWAY_SERVICE_PROJECT: undefined,
    };
    world = await World.start({ ...simulatedCloud, config: QUICK, env });
  });
  after(() => world?.stack.stop());

  it('leaves what was created, and reports it', async () => {
    const hold = await world.control.hold('before', { operation: 'servers.create' });

    const { jobId, last } = await world.loseTokenAt(hold);

    assert.deepEqual([last?.step, last?.code], ['FAILED', 'token_expired']);
    const { leftovers } = await world.job(jobId);
    const volumes = await world.newVolumes();
    assert.equal(volumes.length, 1);
    assert.deepEqual(
      leftovers.map(({ type, id }) => [type, id]),
      [['volume', volumes[0]]],
    );
    assert.match(leftovers[0]?.reason ?? '', /token .* expired/);
  });
});
