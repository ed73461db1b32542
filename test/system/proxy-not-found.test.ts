import assert from 'node:assert/strict';
import { eventually } from '../support/eventually.ts';
import { SimulatedStack } from '../support/stacks/simulated-stack.ts';

/** The page that a proxy sends while it has no way to a service, as during an upgrade. */
const PAGE = { status: 404, proxy: true } as const;

describe('the 404 of a proxy before the services', function () {
  this.timeout(120_000);
  let simulated: SimulatedStack;

  before(async () => {
    simulated = await SimulatedStack.start({
      config: { jobs: { poll_interval_ms: 50, sweep_seconds: 1 }, time_limits: { undo_seconds: 20 } },
    });
  });

  after(() => simulated?.stop());

  afterEach(() => simulated.restore());

  for (const operation of ['servers.list_detail', 'volumes.list_detail']) {
    it(`is a failure of the service, not a missing list (${operation})`, async () => {
      const { control, gateway } = simulated;
      const path =
        operation === 'servers.list_detail' ? '/api/instances?refresh=true' : '/api/volumes?refresh=true';
      // The pre-filling after the log-in may still be reading the list, which a reader would join.
      await gateway.request('GET', path);
      await control.addFault({ operation, ...PAGE, times: 0 });
      const refused = await gateway.request<{ code: string }>('GET', path);
      await control.clear();
      await control.addFault({ operation, ...PAGE });
      const retried = await gateway.request('GET', path);

      assert.deepEqual([refused.status, refused.body.code], [502, 'upstream_error'], refused.text);
      assert.equal(retried.status, 200, retried.text);
    });
  }

  it('is not "it is not there" for a single resource', async () => {
    const { control, gateway } = simulated;
    const made = (await gateway.messagesOfCreation(simulated.request)).at(-1);
    await control.addFault({ operation: 'servers.get', ...PAGE, times: 0 });

    const read = await gateway.request('GET', `/api/instances/${made?.instance_id}`);

    assert.equal(read.status, 502, read.text);
  });

  it('does not make a rollback count a volume as removed', async () => {
    const { baseline, control, gateway, request } = simulated;
    await control.addFault({ operation: 'servers.create', status: 403 });
    await control.addFault({ operation: 'volumes.get', ...PAGE, nth: 3, times: 6 });
    await control.addFault({ operation: 'volumes.delete', ...PAGE, times: 6 });

    const failed = (await gateway.messagesOfCreation(request)).at(-1);

    assert.equal(failed?.step, 'FAILED');
    await eventually(async () => {
      assert.deepEqual(await control.inventory(), baseline);
      return true;
    }, 20_000);
  });

  it('does not end the wait for an instance that is being deleted', async () => {
    const { baseline, control, gateway, request } = simulated;
    const made = (await gateway.messagesOfCreation(request)).at(-1);
    assert.equal(made?.step, 'COMPLETED', made?.error ?? '');
    await control.addFault({ operation: 'volumes.delete', ...PAGE, times: 4 });
    await control.addFault({ operation: 'floating_ips.delete', ...PAGE, times: 4 });

    const answer = await gateway.request('DELETE', `/api/instances/${made?.instance_id}`);

    assert.equal(answer.status, 204, answer.text);
    await eventually(async () => {
      assert.deepEqual(await control.inventory(), baseline);
      return true;
    }, 20_000);
  });

  it('is retried when a creation meets it', async () => {
    const { control, gateway, request } = simulated;
    await control.addFault({ operation: 'volumes.create', ...PAGE });

    const made = (await gateway.messagesOfCreation(request)).at(-1);

    assert.equal(made?.step, 'COMPLETED', made?.error ?? '');
  });
});
