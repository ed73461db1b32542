import assert from 'node:assert/strict';
import type { WorkerContext } from '../../../apps/worker/src/context.ts';
import type { JobRun } from '../../../apps/worker/src/jobs/processor.ts';
import { sessionPrefill } from '../../../apps/worker/src/processors/session-prefill.ts';
import { ReleasedError } from '../../../apps/worker/src/saga/index.ts';
import {
  type SnapshotContext,
  takeSnapshotsSteps,
} from '../../../apps/worker/src/sagas/take-snapshots/index.ts';

/** What a service never answers. */
const never = new Promise<never>(() => {});

describe('a worker that stops while a service does not answer', () => {
  it('releases a job that fills caches', async () => {
    const stopping = new AbortController();
    const done: string[] = [];
    const identity = { userId: 'u1', projectId: 'p1', roles: ['member'] };
    const worker = {
      config: { identity: { readerRoles: [] }, cache: {} },
      cache: {
        getOrLoad() {
          done.push('read');
          return never;
        },
      },
      redis: {},
      stopping,
    } as unknown as WorkerContext;
    const log = { end: async () => void done.push('ended') };
    const run = { worker, identity, log, credentials: {}, logger: { warn() {} } };
    const running = sessionPrefill.run(run as unknown as JobRun<'session.prefill'>);

    stopping.abort();

    await assert.rejects(running, ReleasedError);
    assert.ok(done.includes('read'));
    assert.ok(!done.includes('ended'));
  });

  it('releases a job that counts resources', async () => {
    const stopping = new AbortController();
    const [step] = takeSnapshotsSteps;
    const context = {
      hour: Date.now(),
      requestedAt: async () => Date.now(),
      config: { services: { sharedFs: false } },
      timeSeries: { has: () => never },
      service: async () => ({}),
      signal: stopping.signal,
    };
    const running = step?.run(context as unknown as SnapshotContext & Parameters<typeof step.run>[0]);

    stopping.abort(new Error('The process stops.'));

    await assert.rejects(running ?? never, /The process stops/);
  });
});
