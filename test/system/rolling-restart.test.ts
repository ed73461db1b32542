import assert from 'node:assert/strict';
import { newRequestId } from '@gateway/core';
import { startCreation } from '../faults/kinds/creation.ts';
import { type Creation, createdBy, createUnderLoad, judgeCreations } from '../faults/load.ts';
import { Rig } from '../faults/rig.ts';
import { problemsOf } from '../faults/verdict.ts';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import { JobWatcher } from '../support/clients/job-watcher.ts';
import { eventually } from '../support/eventually.ts';
import { testLogin } from '../support/stacks/test-stack.ts';

const MIN_CREATIONS = 12;
/** On a slow machine the restarts take long, and each creation makes them longer. */
const MAX_CREATIONS = 40;
const CONCURRENT_CREATIONS = 4;
const STOP_TIMEOUT_MS = 30_000;

describe('processes that are stopped', function () {
  this.timeout(300_000);
  let rig: Rig;

  before(async () => {
    rig = await Rig.start();
  });
  after(() => rig?.stop());
  afterEach(async () => {
    assert.deepEqual(await rig.restore(), []);
  });

  it('leave a job to another worker without repeating its step', async () => {
    const requestId = newRequestId();
    const { control } = rig;
    const hold = await control.hold('after', { operation: 'volumes.create', requestId });
    const { jobId, stream } = await startCreation(rig, 'native', requestId);
    const watcher = new JobWatcher();
    const watching = watcher.followToEnd(
      stream,
      (seen) => rig.gateway().followJob(jobId, seen),
      STOP_TIMEOUT_MS,
    );
    assert.equal(await hold.waitUntilReached(STOP_TIMEOUT_MS), 'held');
    const worker = await rig.workerOf(jobId);

    const stopped = worker.kill('SIGTERM');
    await eventually(async () => {
      const health = (await (await fetch(`${worker.url}/health`)).json()) as { status: string };
      return health.status === 'draining';
    });
    await hold.release();
    await stopped;
    await watching;

    assert.deepEqual([watcher.last?.step, watcher.problems], ['COMPLETED', []]);
    assert.deepEqual(watcher.repeatedSteps(), []);
    assert.notEqual((await rig.workerOf(jobId)).pid, worker.pid);
    const made = (await control.calls(requestId)).filter(
      ({ method, performed }) => method === 'POST' && performed,
    );
    const operations = made.map(({ operation }) => operation);
    assert.deepEqual(
      [operations.filter((name) => name === 'volumes.create').length, operations.includes('servers.create')],
      [2, true],
    );
    await worker.restart();
  });

  it('lose no job and repeat no step under load', async () => {
    const session = { client: await GatewayClient.logIn(rig.stack.url, testLogin('demo')) };
    const before = await rig.inventory();
    await rig.control.clearCalls();
    const done: Creation[] = [];
    let begun = 0;
    let isRolling = true;
    const lanes = Array.from({ length: CONCURRENT_CREATIONS }, async () => {
      while (begun < MIN_CREATIONS || (isRolling && begun < MAX_CREATIONS)) {
        begun += 1;
        done.push(await createUnderLoad(rig, session, `rolling-${begun}`));
      }
    });

    try {
      for (const process of [...rig.stack.workers, ...rig.stack.apis]) {
        await process.kill('SIGTERM');
        await process.restart();
      }
    } finally {
      isRolling = false;
    }
    await Promise.all(lanes);

    const flaws = (await judgeCreations(rig, done)).flatMap(problemsOf);
    assert.deepEqual(flaws, []);
    assert.deepEqual(
      done.filter(({ status }) => status !== 'completed').map(({ watcher }) => watcher.last),
      [],
    );
    assert.deepEqual(await rig.differencesFrom(before, createdBy(done)), []);
  });
});
