import assert from 'node:assert/strict';
import type { Stack } from '../../scripts/stack.ts';
import { CloudClient, type ResourceIds } from '../support/clients/cloud-client.ts';
import { GatewayClient, type InstanceRequest, stepsOf } from '../support/clients/gateway-client.ts';
import { JobWatcher } from '../support/clients/job-watcher.ts';
import type { EventStream } from '../support/clients/sse-client.ts';
import { eventually } from '../support/eventually.ts';
import { startTestStack, testLogin } from '../support/stacks/test-stack.ts';

describe('several processes', function () {
  this.timeout(300_000);
  let stack: Stack;
  let gateway: GatewayClient;
  let cloud: CloudClient;
  let baseline: ResourceIds;
  let request: InstanceRequest;

  before(async () => {
    // A killed worker is detected when its lock on a job expires. A short lock keeps the test short.
    stack = await startTestStack({ apis: 2, workers: 3, config: { jobs: { lock_seconds: 3 } } });
    cloud = await CloudClient.logIn(stack.identityUrl ?? '', testLogin('demo'));
    gateway = await GatewayClient.logIn(stack.url, testLogin('demo'));
    request = await gateway.smallInstanceRequest('e2e-processes');
    baseline = await cloud.resourceIds();
  });

  after(() => stack?.stop());

  afterEach(async () => {
    for (const { id } of await gateway.at(urlOf(1)).read<{ id: string; name: string }[]>('/api/instances')) {
      if (!baseline.servers.includes(id))
        await gateway.at(urlOf(1)).request('DELETE', `/api/instances/${id}`);
    }
    await eventually(async () => {
      assert.deepEqual(await cloud.resourceIds(), baseline);
      return true;
    });
  });

  it('stream progress on any api, whichever worker runs the job', async () => {
    const started = await Promise.all(Array.from({ length: 4 }, () => gateway.createInstance(request)));

    const watchers = await Promise.all(
      started.map(async (stream) => {
        const watcher = new JobWatcher();
        await watcher.readEvents(await gateway.at(urlOf(1)).followJob(jobIdOf(stream)));
        return watcher;
      }),
    );

    for (const watcher of watchers) {
      watcher.assertGapless();
      assert.equal(watcher.last?.step, 'COMPLETED', watcher.last?.error ?? '');
    }
  });

  it("complete an instance after an api's death, and resume its stream", async () => {
    const watcher = new JobWatcher();
    const stream = await gateway.createInstance(request);
    await watcher.readEvents(stream, 3);

    await stack.apis[0]?.kill('SIGKILL');
    await watcher.readEvents(stream);

    const elsewhere = gateway.at(urlOf(1));
    await watcher.readEvents(await elsewhere.followJob(jobIdOf(stream), String(watcher.seqs.at(-1))));
    watcher.assertGapless();
    assert.equal(watcher.last?.step, 'COMPLETED', watcher.last?.error ?? '');
    await stack.apis[0]?.restart();
  });

  it('complete exactly one instance whose worker is killed', async () => {
    const watcher = new JobWatcher();
    const stream = await gateway.createInstance({ ...request, name: 'e2e-worker-killed' });
    await watcher.readEvents(stream, 3);

    await workerOf(jobIdOf(stream))?.kill('SIGKILL');
    await watcher.readEvents(stream);

    watcher.assertGapless();
    assert.equal(watcher.last?.step, 'COMPLETED', watcher.last?.error ?? '');
    assert.deepEqual(stepsOf(watcher.messages), [...new Set(stepsOf(watcher.messages))], 'no step twice');
    const made = (await cloud.resourceIds()).servers.filter((id) => !baseline.servers.includes(id));
    assert.deepEqual(made, [watcher.last?.instance_id]);
    await Promise.all(
      stack.workers.filter((worker) => !worker.isRunning()).map((worker) => worker.restart()),
    );
  });

  it('continue a job when its worker stops', async () => {
    const watcher = new JobWatcher();
    const stream = await gateway.createInstance({ ...request, name: 'e2e-worker-stopped' });
    await watcher.readEvents(stream, 2);

    const worker = workerOf(jobIdOf(stream));
    await worker?.kill('SIGTERM');
    await watcher.readEvents(stream);

    watcher.assertGapless();
    assert.equal(watcher.last?.step, 'COMPLETED', watcher.last?.error ?? '');
    await worker?.restart();
  });

  it('make clients reconnect when their api stops', async () => {
    const watcher = new JobWatcher();
    const stream = await gateway.createInstance(request);
    await watcher.readEvents(stream, 2);

    await stack.apis[0]?.kill('SIGTERM');
    await watcher.readEvents(stream);

    assert.ok(stream.comments.some((comment) => comment.includes('reconnect')));
    assert.notEqual(watcher.last?.step, 'COMPLETED', 'the stream ended before the job');
    await watcher.readEvents(
      await gateway.at(urlOf(1)).followJob(jobIdOf(stream), String(watcher.seqs.at(-1))),
    );
    watcher.assertGapless();
    assert.equal(watcher.last?.step, 'COMPLETED', watcher.last?.error ?? '');
    await stack.apis[0]?.restart();
  });

  function urlOf(index: number): string {
    return stack.apis[index]?.url ?? '';
  }

  function jobIdOf(stream: EventStream): string {
    return stream.headers.get('x-job-id') ?? '';
  }

  /** The worker that has logged the start of the job. */
  function workerOf(jobId: string) {
    return stack.workers.find((worker) =>
      worker.logs().some((line) => line.includes('Job run started') && line.includes(jobId)),
    );
  }
});
