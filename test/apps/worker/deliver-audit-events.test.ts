import assert from 'node:assert/strict';
import type { WorkerContext } from '../../../apps/worker/src/context.ts';
import { deliverAuditEvents } from '../../../apps/worker/src/maintenance/deliver-audit-events.ts';
import { TestClock } from '../../support/api/test-clock.ts';

describe('the delivery of audit events', () => {
  it('asks once, and sends nothing, while none waits', async () => {
    const asked: number[] = [];
    await deliverAuditEvents({
      clock: new TestClock(),
      stopping: new AbortController(),
      auditOutbox: {
        async first(count: number) {
          asked.push(count);
          return [];
        },
      },
      auditReceiver: { send: () => assert.fail('sends') },
    } as unknown as WorkerContext);

    assert.deepEqual(asked, [100]);
  });

  it('ends while more events arrive than it can send', async () => {
    const clock = new TestClock();
    clock.stop();
    const stopping = new AbortController();
    let sent = 0;
    await deliverAuditEvents({
      clock,
      stopping,
      auditOutbox: {
        first: async () => [{ entryId: '1-0', event: { id: 'e1' } }],
        delivered: async () => {},
      },
      auditReceiver: {
        async send() {
          sent += 1;
          clock.advance(10);
          if (sent > 100) stopping.abort();
        },
      },
    } as unknown as WorkerContext);

    assert.equal(sent, 6);
  });
});
