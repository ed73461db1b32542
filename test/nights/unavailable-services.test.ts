import assert from 'node:assert/strict';
import { firingAlerts, scrape } from '../support/alerts/firing-alerts.ts';
import { eventually } from '../support/eventually.ts';
import { SimulatedStack } from '../support/stacks/simulated-stack.ts';

describe('a night in which instances are deleted without block storage', function () {
  this.timeout(180_000);
  let simulated: SimulatedStack;

  before(async () => {
    simulated = await SimulatedStack.start({
      own: true,
      config: {
        jobs: { poll_interval_ms: 50 },
        time_limits: { job_accept_seconds: 1, step_retry_seconds: 0 },
      },
    });
  });
  after(() => simulated?.stop());

  it('makes their deletions wait, and completes them afterwards', async () => {
    const { control, gateway, request, stack } = simulated;
    const { instance_id: id } = (await gateway.messagesOfCreation(request)).at(-1) ?? {};
    const well = await scrape(stack);
    await control.addFault({ service: 'block-storage', status: 503, times: 0 });

    const answer = await gateway.request<{ detail: string; job_id: string }>(
      'DELETE',
      `/api/instances/${id}`,
    );

    assert.equal(answer.status, 504);
    assert.match(answer.body.detail, /waits for the block storage service/);
    const scrapes = [{ atMinutes: 0, targets: well }];
    for (const atMinutes of [1, 4, 8]) {
      // Each is several calls.
      for (const _ of [1, 2, 3]) await gateway.request('GET', '/api/volumes?refresh=true');
      scrapes.push({ atMinutes, targets: await scrape(stack) });
    }
    const firing = await firingAlerts(scrapes, 11);
    assert.deepEqual(
      firing.map(({ name, labels }) => `${name} ${labels.service}`),
      ['GatewayUpstreamErrors blockStorage'],
    );

    await control.clear();

    await eventually(async () => {
      const { status } = await gateway.read<{ status: string }>(`/api/jobs/${answer.body.job_id}`);
      return status === 'completed';
    });
    assert.deepEqual(await control.inventory(), simulated.baseline);
  });
});
