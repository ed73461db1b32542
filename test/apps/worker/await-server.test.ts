import assert from 'node:assert/strict';
import { type ServerRecord, type StatusWaitOptions, waitForStatus } from '@gateway/openstack';
import { awaitServer } from '../../../apps/worker/src/sagas/resources/await-server.ts';

let nowMs = 0;
const wait = {
  timeoutMs: 1_000,
  intervals: { firstMs: 1, maxMs: 1_000 },
  describe: 'The instance',
  clock: { now: () => nowMs },
  sleep: async (ms: number) => {
    nowMs += ms;
  },
};
const failed = { status: 'ERROR', fault: null as ServerRecord['fault'] } as ServerRecord;

describe('a server that fails to boot', () => {
  it('fails the job with its fault, even if that appears late', async () => {
    const fault = {
      code: 500,
      message: 'No valid host was found. ',
      created: '2026-01-01T00:00:00Z',
      details: null,
    };

    const waiting = awaitServer(cloudThatAnswers(failed, failed, { ...failed, fault }), 'id', wait);

    await assert.rejects(waiting, { status: 409, code: 'no_valid_host' });
  });

  it('fails the job even if its fault cannot be read', async () => {
    await assert.rejects(awaitServer(cloudThatAnswers(failed), 'id', wait), {
      status: 502,
      code: 'instance_failed',
      message: 'The instance could not be started: the compute service gave no reason.',
    });
  });
});

/** Returns each response once, and then the last one repeatedly. */
function cloudThatAnswers(...answers: ServerRecord[]) {
  let next = 0;
  const get = async () => answers[Math.min(next++, answers.length - 1)] as ServerRecord;
  const waitUntil = (_kind: string, _id: string, options: StatusWaitOptions) =>
    waitForStatus(get, ({ status }) => status, options);
  const cloud = { compute: { servers: { get } }, polls: { waitForStatus: waitUntil } };
  return cloud as unknown as Parameters<typeof awaitServer>[0];
}
