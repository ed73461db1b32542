import assert from 'node:assert/strict';
import { type StatusWaitOptions, waitForStatus } from '@gateway/openstack';
import { createServer } from '../../../apps/worker/src/sagas/create-instance/steps/server.ts';

type Settle = NonNullable<typeof createServer.settle>;

describe('the creation of an instance', () => {
  /** The result of the wait if the first read of the server has this status. */
  async function settle(status: string) {
    const server = { status, fault: null };
    const client = {
      compute: { servers: { get: async () => server } },
      polls: {
        waitForStatus: (_kind: string, _id: string, options: StatusWaitOptions) =>
          waitForStatus(
            async () => server,
            (found) => found.status,
            options,
          ),
      },
    };
    const context = {
      config: { jobs: { pollIntervalMs: 1 }, timeLimits: { serverSeconds: 0.05 } },
      resourceOwner: { client: async () => client },
      signal: new AbortController().signal,
      since: Date.now(),
    };
    const [given, publish] = [context as unknown as Parameters<Settle>[0], async () => {}];
    return createServer.settle?.(given, { serverId: 'server' }, publish);
  }

  for (const status of ['ACTIVE', 'SHUTOFF', 'PAUSED', 'SHELVED_OFFLOADED']) {
    it(`continues with a server that was up: ${status}`, async () => {
      assert.equal(await settle(status), undefined);
    });
  }

  it('waits for a server that was not', async () => {
    await assert.rejects(settle('BUILD'), { code: 'upstream_timeout' });
  });
});
