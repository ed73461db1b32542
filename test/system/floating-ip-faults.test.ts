import assert from 'node:assert/strict';
import type { ErrorBody } from '../support/api/client.ts';
import type { CloudsimControl, FaultSpec } from '../support/clients/cloudsim-control.ts';
import type { GatewayClient } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { SimulatedStack } from '../support/stacks/simulated-stack.ts';

interface FloatingIp {
  id: string;
  floating_ip_address: string;
}

/** Longer than the calls of these tests take. */
const REACHED_MS = 20_000;

describe('floating IPs of an instance while the network service fails', function () {
  this.timeout(180_000);
  let simulated: SimulatedStack;
  let control: CloudsimControl;
  let gateway: GatewayClient;
  let id: string;

  before(async () => {
    simulated = await SimulatedStack.start({ config: { time_limits: { upstream_request_seconds: 3 } } });
    ({ control, gateway } = simulated);
  });

  after(() => simulated?.stop());

  beforeEach(async () => {
    const last = (await gateway.messagesOfCreation(simulated.request)).at(-1);
    assert.equal(last?.step, 'COMPLETED', last?.error ?? '');
    id = last.instance_id ?? '';
    assert.equal((await remove()).status, 204);
    await control.clearCalls();
  });

  afterEach(() => simulated.restore());

  const acted: [string, Omit<FaultSpec, 'operation'>][] = [
    ['answers 500', { status: 500 }],
    ['breaks the connection', { drop: true }],
    ['does not answer', { hang: true }],
  ];
  for (const [what, fault] of acted) {
    it(`returns the floating IP that was created when the service ${what} afterwards`, async () => {
      await control.addFault({ operation: 'floating_ips.create', after: true, ...fault });

      const answer = await add();

      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual([...(await floatingIps())], [answer.body.id]);
      assert.equal((await performed('floating_ips.create')).length, 1);
    });
  }

  const failed: [Omit<FaultSpec, 'operation'>, number, string][] = [
    [{ status: 500 }, 500, 'floating_ip_failed'],
    [{ status: 409 }, 500, 'floating_ip_failed'],
    [{ status: 503 }, 503, 'upstream_unavailable'],
    [{ status: 429, headers: { 'retry-after': '7' } }, 429, 'rate_limited'],
    [{ drop: true }, 503, 'upstream_unavailable'],
    [{ hang: true }, 504, 'upstream_timeout'],
  ];
  for (const [fault, status, code] of failed) {
    it(`is ${status} and leaves nothing after ${JSON.stringify(fault)}`, async () => {
      await control.addFault({ operation: 'floating_ips.create', ...fault });

      const answer = await add();

      assert.deepEqual([answer.status, answer.body.code], [status, code], answer.text);
      assert.equal((await floatingIps()).size, 0);
    });
  }

  it('answers although the compute service does not show the floating IP', async () => {
    await control.addFault({ operation: 'servers.get', nth: 2, times: 0, status: 500 });

    const answer = await add();

    assert.equal(answer.status, 200, answer.text);
  });

  it('releases as many as possible, and never fails', async () => {
    await addInterface();
    await add();
    await add();
    assert.equal((await floatingIps()).size, 2);
    await control.addFault({ operation: 'floating_ips.delete', status: 500, times: 2 });
    const none = await remove();
    await control.addFault({ operation: 'floating_ips.delete', status: 500 });
    const one = await remove();
    const left = (await floatingIps()).size;
    const rest = await remove();

    assert.deepEqual([none.status, one.status, left, rest.status], [204, 204, 1, 204]);
    assert.equal((await floatingIps()).size, 0);
  });

  it("releases an interface's leftover with the others or the instance", async () => {
    for (const release of [remove, deleteInstance]) {
      const portId = await addInterface();
      await add();
      await add();
      await control.addFault({ operation: 'floating_ips.delete', status: 500 });
      const removed = await gateway.request('DELETE', `/api/instances/${id}/interfaces/${portId}`);
      assert.equal(removed.status, 204, removed.text);
      assert.equal((await floatingIps()).size, 2);

      await release();

      await eventually(async () => (await floatingIps()).size === 0);
    }
  });

  it("deletes one that is created after the deletion's search", async () => {
    const hold = await control.hold('before', { operation: 'servers.delete' });
    const deleting = deleteInstance();
    assert.equal(await hold.waitUntilReached(REACHED_MS), 'held');
    const created = await add();
    await hold.release();
    await deleting;

    assert.equal(created.status, 200, created.text);
    await eventually(async () => (await floatingIps()).size === 0);
  });

  it('gives none to an instance that is deleted meanwhile', async () => {
    const hold = await control.hold('before', { operation: 'floating_ips.create' });
    const adding = add();
    assert.equal(await hold.waitUntilReached(REACHED_MS), 'held');
    await deleteInstance();
    await eventually(async () => ((await control.inventory()).get('servers')?.has(id) ? undefined : true));
    await hold.release();

    const { status } = await adding;

    assert.ok([404, 409].includes(status), `${status}`);
    await eventually(async () => (await floatingIps()).size === 0);
  });

  it('makes the same number of calls for one and three ports', async () => {
    const readings = ['volumes', 'interfaces', 'security-groups'];
    const count = async () => Promise.all(readings.map(callsOf));
    const before = await count();
    for (let added = 0; added < 2; added += 1) await addInterface();

    assert.deepEqual(await count(), before);
    assert.deepEqual(before, [3, 2, 3]);
  });

  async function callsOf(reading: string): Promise<number> {
    const requestId = `req-${crypto.randomUUID()}`;
    const answer = await gateway.request('GET', `/api/instances/${id}/${reading}`, undefined, requestId);
    assert.equal(answer.status, 200, answer.text);
    const calls = await control.calls(requestId);
    return calls.filter(({ service }) => service !== 'identity').length;
  }

  function add() {
    return gateway.request<FloatingIp & ErrorBody>('POST', `/api/instances/${id}/floating-ip`);
  }

  function remove() {
    return gateway.request<ErrorBody>('DELETE', `/api/instances/${id}/floating-ip`);
  }

  async function deleteInstance(): Promise<void> {
    const answer = await gateway.request('DELETE', `/api/instances/${id}`);
    assert.equal(answer.status, 204, answer.text);
  }

  /** A second interface in the network of the instance. */
  async function addInterface(): Promise<string> {
    const path = `/api/instances/${id}/interfaces`;
    const [first] = await gateway.read<{ net_id: string }[]>(path);
    const answer = await gateway.request<{ port_id: string }>('POST', path, { net_id: first?.net_id });
    assert.equal(answer.status, 201, answer.text);
    return answer.body.port_id;
  }

  /** Those that the tests have created. */
  async function floatingIps(): Promise<Set<string>> {
    const known = simulated.baseline.get('floating_ips') ?? new Set();
    return new Set(
      [...((await control.inventory()).get('floating_ips') ?? [])].filter((one) => !known.has(one)),
    );
  }

  async function performed(operation: string) {
    return (await control.calls()).filter((call) => call.performed && call.operation === operation);
  }
});
