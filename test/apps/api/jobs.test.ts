import assert from 'node:assert/strict';
import { noEstimate } from '@gateway/jobs';
import type { InstanceDetail } from '@gateway/resources';
import type { ErrorBody } from '../../support/api/client.ts';
import { computeAnswers } from '../../support/api/compute.ts';
import { inOtherProject, instanceRequest, newCaller } from '../../support/api/factories.ts';
import {
  claimJob,
  completed,
  instanceMessage,
  queuedData,
  queuedJob,
  runJob,
} from '../../support/api/jobs.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';
import { fixtureBody } from '../../support/doubles/upstream.ts';

interface Job {
  id: string;
  type: string;
  status: string;
  step: string | null;
  progress: number;
  message: string;
  resource_id: string | null;
  error: string | null;
  errors: { field: string; message: string }[];
}

describe('POST /api/instances', () => {
  const suite = apiSuite();

  it('waits for the same job, and maps its failure to a status', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const answered = api.post<ErrorBody>('/api/instances', { as: caller, body: instanceRequest() });
    const jobId = await queuedJob(api, 'provisioning');
    const log = await claimJob(api, jobId);
    const detail = 'The quota of instances is used up.';

    await log.end(
      { ...instanceMessage('FAILED', -1, detail), error: detail },
      { status: 'failed', failure: { status: 409, code: 'quota_exceeded', detail } },
    );

    const answer = await answered;
    assert.equal(answer.status, 409);
    assert.deepEqual(
      { code: answer.body.code, detail: answer.body.detail, job_id: answer.body.job_id },
      { code: 'quota_exceeded', detail, job_id: jobId },
    );
  });

  it("returns invalid fields and upstream failure from the job's record", async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const answered = api.post<ErrorBody>('/api/instances', { as: caller, body: instanceRequest() });
    const jobId = await queuedJob(api, 'provisioning');
    const log = await claimJob(api, jobId);
    const errors = [{ field: 'body.flavor_id', message: 'was not found' }];
    const upstream = { service: 'compute', status: 404, request_id: 'req-1' };
    const failure = {
      status: 400,
      code: 'invalid_input',
      detail: 'The flavor was not found.',
      errors,
      upstream,
    };

    await log.end(instanceMessage('FAILED', -1), { status: 'failed', failure });

    const { status, body } = await answered;
    assert.deepEqual([status, body.errors, body.upstream], [400, errors, upstream]);
    const job = await api.get<Job>(`/api/jobs/${jobId}`, { as: caller });
    assert.deepEqual([job.body.error, job.body.errors], [failure.detail, errors]);
  });

  describe('shows an instance with a new floating IP', () => {
    const server = fixtureBody<{ id: string; addresses: Record<string, Record<string, string>[]> }>(
      'compute/server',
      'server',
    );
    const [[networkName = '', [fixed = {}, floating = {}] = []] = []] = Object.entries(server.addresses);
    const device = `/v2.0/ports?device_id=${server.id}`;

    /** The compute service lists only the fixed address. */
    async function create(api: TestApi) {
      const caller = suite.cloud.validCaller(newCaller());
      const body = { server: { ...server, addresses: { [networkName]: [fixed] } } };
      suite.cloud.reply('compute/server', { body }).reply('compute/flavors').reply('image/images');
      const answered = api.post<InstanceDetail>('/api/instances', { as: caller, body: instanceRequest() });
      const log = await claimJob(api, await queuedJob(api, 'provisioning'));
      await log.publish(instanceMessage('SERVER_CREATING', 95), { resourceId: server.id });
      await log.end(completed, { status: 'completed' });
      return answered;
    }

    it('with the address before the compute service lists it', async () => {
      const api = await suite.start();
      const port = { id: 'port-1', fixed_ips: [{ ip_address: fixed.addr }] };
      const address = {
        id: 'address-1',
        floating_ip_address: floating.addr,
        fixed_ip_address: fixed.addr,
        port_id: port.id,
      };
      suite.cloud.reply('network/ports', { path: device, body: { ports: [port] } });
      suite.cloud.reply('network/floating-ips', {
        path: '/v2.0/floatingips?port_id=port-1',
        body: { floatingips: [address] },
      });

      const answer = await create(api);

      assert.equal(answer.status, 201, answer.text);
      assert.deepEqual(answer.body.ip_addresses, [
        { addr: fixed.addr, type: 'fixed', network_name: networkName },
        { addr: floating.addr, type: 'floating', network_name: networkName },
      ]);
    });

    it('without the address if the network service is unavailable', async () => {
      const api = await suite.start();
      suite.cloud.reply('network/ports', { path: device, status: 500, body: {} });

      const answer = await create(api);

      assert.equal(answer.status, 201, answer.text);
      assert.equal(answer.body.ip_addresses.length, 1);
      assert.equal(api.log.withMessage('Failed to read the floating IPs of a new instance').length, 1);
    });
  });

  it('is 504 with the job id after a timeout; the job continues', async () => {
    const api = await suite.start({ settings: { time_limits: { sync_create_seconds: 1 } } });
    const caller = suite.cloud.validCaller(newCaller());

    const answer = await api.post<ErrorBody>('/api/instances', { as: caller, body: instanceRequest() });

    assert.equal(answer.status, 504);
    const job = await api.get<Job>(`/api/jobs/${answer.body.job_id}`, { as: caller });
    assert.equal(job.body.status, 'queued');
  });

  it('is 504 with the job id before a stopping process disconnects', async () => {
    const api = await suite.start({ settings: { time_limits: { shutdown_seconds: 1 } } });
    const caller = suite.cloud.validCaller(newCaller());
    const answered = api.post<ErrorBody>('/api/instances', { as: caller, body: instanceRequest() });
    const jobId = await queuedJob(api, 'provisioning');

    await api.close();

    const answer = await answered;
    assert.deepEqual([answer.status, answer.body.job_id], [504, jobId]);
  });

  it('puts exactly the requested values into the job, and no token', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    computeAnswers(suite.cloud, 'GET /os-keypairs/my%20key', { keypair: { name: 'my key' } });
    const stream = await api.stream('POST', '/api/instances/async', {
      as: caller,
      body: instanceRequest({ key_name: 'my key', boot_volume_size_gb: 30 }),
      headers: { 'x-request-id': 'req-0f3c2a9e-5b8d-4c1e-9a77-1234567890ab' },
    });
    stream.close();

    const data = await queuedData(api, String(stream.headers.get('x-job-id')));
    assert.equal(data.type, 'instance.create');
    assert.equal(data.requestId, 'req-0f3c2a9e-5b8d-4c1e-9a77-1234567890ab');
    assert.equal(data.projectId, caller.projectId);
    const { found: _found, ...requested } = data.payload;
    assert.deepEqual(requested, {
      name: 'web-1',
      imageId: instanceRequest().image_id,
      flavorId: instanceRequest().flavor_id,
      libraryIds: [],
      strategy: null,
      networkId: null,
      keyName: 'my key',
      availabilityZone: null,
      bootVolumeSizeGb: 30,
      deleteBootVolumeOnTermination: true,
      additionalVolumeIds: [],
      newVolumes: [],
      options: {
        floatingIp: true,
        nics: [],
        sealedUserData: null,
        securityGroupIds: [],
        serverGroupId: null,
      },
      sealedAdminPass: null,
    });
  });
});

describe('a job', () => {
  const suite = apiSuite();

  it('returns its progress', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const { id, path, log } = await runJob(api, caller);
    await log.publish(instanceMessage('SERVER_CREATING', 95, 'The server is being made.'), {
      resourceId: 'i-1',
    });

    const { body } = await api.get<Job>(path, { as: caller });

    assert.deepEqual(
      { ...body, created_at: undefined, started_at: undefined, updated_at: undefined },
      {
        id,
        type: 'instance.create',
        status: 'running',
        state: 'running',
        step: 'SERVER_CREATING',
        progress: 95,
        message: 'The server is being made.',
        resource_type: 'instance',
        resource_id: 'i-1',
        resource_name: instanceRequest().name,
        user_id: caller.userId,
        user_name: caller.userName,
        error: null,
        errors: [],
        leftovers: [],
        created_at: undefined,
        started_at: undefined,
        updated_at: undefined,
        ended_at: null,
        ...noEstimate,
        estimated_progress: 95,
      },
    );
  });

  it('returns what could not be removed', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const { path, log } = await runJob(api, caller);
    const leftovers = [{ type: 'volume', id: 'v-1', reason: 'It is in use.' }];
    await log.end(instanceMessage('FAILED', -1), {
      status: 'failed',
      failure: { status: 502, code: 'upstream_error', detail: 'It failed.' },
      leftovers,
    });

    const { body } = await api.get<Job & { leftovers: unknown }>(path, { as: caller });

    assert.equal(body.status, 'failed');
    assert.equal(body.error, 'It failed.');
    assert.deepEqual(body.leftovers, leftovers);
  });

  it('of another project is 404, like an unknown one', async () => {
    const api = await suite.start();
    const owner = suite.cloud.validCaller(newCaller());
    const stranger = suite.cloud.validCaller(inOtherProject(newCaller()));
    const { path } = await runJob(api, owner);
    const absent = '/api/jobs/00000000-0000-4000-8000-000000000000';

    for (const at of [path, absent]) {
      const answers = [
        await api.get<ErrorBody>(at, { as: stranger }),
        await api.get<ErrorBody>(`${at}/events`, { as: stranger }),
        await api.post<ErrorBody>(`${at}/cancel`, { as: stranger }),
      ];
      for (const { status, body } of answers) {
        assert.equal(status, 404);
        assert.equal(body.detail, 'There is no such job.');
      }
    }
    const job = await api.get<Job>(path, { as: owner });
    assert.equal(job.body.status, 'running');
  });

  it('is 404 for an invalid id, whatever key it would match', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    await runJob(api, caller);

    for (const name of ['feed', 'open', 'sweeps', 'latest', 'FEED']) {
      const at = `/api/jobs/${name}`;
      const answers = [
        await api.get<ErrorBody>(at, { as: caller }),
        await api.get<ErrorBody>(`${at}/events`, { as: caller }),
        await api.post<ErrorBody>(`${at}/cancel`, { as: caller }),
      ];
      assert.deepEqual(
        answers.map(({ status, body }) => [status, body.code.replace('route_', '')]),
        Array.from({ length: 3 }, () => [404, 'not_found']),
        name,
      );
    }
  });

  it('accepts a cancellation with 202', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const { path, id } = await runJob(api, caller);

    const answer = await api.post<Job>(`${path}/cancel`, { as: caller });

    assert.equal(answer.status, 202);
    assert.equal(answer.body.id, id);
    assert.equal(await api.context.redis.store.hget(`{jobs}:job:${id}`, 'cancelRequested'), '1');
  });

  it('refuses a cancellation after its end with 409', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const { path, log } = await runJob(api, caller);
    await log.end(completed, { status: 'completed' });

    const answer = await api.post<ErrorBody>(`${path}/cancel`, { as: caller });

    assert.equal(answer.status, 409);
    assert.equal(answer.body.code, 'conflict');
  });

  it('is refused with 429 if its project has too many waiting jobs', async () => {
    const api = await suite.start({ settings: { jobs: { project_waiting_limit: 1 } } });
    const caller = suite.cloud.validCaller(newCaller());
    const other = suite.cloud.validCaller(inOtherProject(newCaller()));
    const create = (as: typeof caller) =>
      api.request<ErrorBody>('POST', '/api/instances/async', { as, body: instanceRequest() });
    const first = await api.stream('POST', '/api/instances/async', { as: caller, body: instanceRequest() });
    first.close();

    const refused = await create(caller);

    assert.deepEqual([refused.status, refused.body.code], [429, 'rate_limited']);
    assert.ok(Number(refused.headers['retry-after']) > 0);
    const elsewhere = await api.stream('POST', '/api/instances/async', {
      as: other,
      body: instanceRequest(),
    });
    assert.equal(elsewhere.status, 200);
    elsewhere.close();
  });
});
