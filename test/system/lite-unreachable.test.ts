import assert from 'node:assert/strict';
import { checkHealth } from '../support/lite/clusters.ts';
import { ReportedStack } from '../support/lite/reported-stack.ts';

describe('a lite cluster whose API server the gateway does not reach', function () {
  this.timeout(120_000);
  let reported: ReportedStack;

  before(async () => {
    reported = await ReportedStack.start();
  });

  after(() => reported?.stop());

  it('says so with a setting that helps, until a check reaches it', async () => {
    const { control, gateway } = reported.simulated;
    const cluster = await reported.createHeld({ agent_count: 0 });
    const [server] = await gateway.read<{ id: string }[]>('/api/instances?refresh=true');
    assert.ok(server);
    await control.changeKubernetes(server.id, { api: 'down' });

    cluster.report.answer(await cluster.report.deliver());

    assert.equal((await cluster.end()).step, 'completed');
    const { status, status_reason: reason } = await cluster.read();
    assert.equal(status, 'ACTIVE');
    assert.match(reason ?? '', /^The gateway has not reached the API server at .*lite\.floating_ip/);
    await checkHealth(gateway, cluster.id);
    assert.equal((await cluster.read()).status_reason, reason);
    await control.changeKubernetes(server.id, { api: 'up' });
    await checkHealth(gateway, cluster.id);
    assert.equal((await cluster.read()).status_reason, null);
  });
});
