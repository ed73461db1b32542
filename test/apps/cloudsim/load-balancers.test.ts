import assert from 'node:assert/strict';
import { type Client, startTestCloud, type TestCloud } from './client.ts';

const LBAAS = '/load-balancer/v2.0/lbaas';
const NETWORK = '/network/v2.0';

describe('the simulated load balancer service', () => {
  let cloud: TestCloud;
  let demo: Client;
  let balancerId: string;
  let portId: string;

  beforeEach(async () => {
    cloud = await startTestCloud();
    demo = await cloud.as('demo');
    const { body } = await demo.call('GET', `${NETWORK}/subnets?name=demo-subnet`);
    const loadbalancer = { name: 'lb', vip_subnet_id: body.subnets[0].id };
    const answer = await demo.call('POST', `${LBAAS}/loadbalancers`, { loadbalancer });
    ({ id: balancerId, vip_port_id: portId } = answer.body.loadbalancer);
  });
  afterEach(() => cloud.close());

  const read = async (path: string) => (await demo.call('GET', LBAAS + path)).body;
  const statusOf = async (id = balancerId) =>
    (await read(`/loadbalancers/${id}`)).loadbalancer.provisioning_status;
  const createListener = (port: number) =>
    demo.call('POST', `${LBAAS}/listeners`, {
      listener: { loadbalancer_id: balancerId, protocol: 'HTTP', protocol_port: port },
    });

  it('performs one change of a load balancer at a time', async () => {
    assert.equal(await statusOf(), 'PENDING_CREATE');
    const early = await createListener(80);
    cloud.clock.advance(1_000);
    const accepted = await createListener(80);
    const late = await createListener(81);

    assert.deepEqual([early.status, accepted.status, late.status], [409, 201, 409]);
    assert.equal(late.body.faultstring, `Load Balancer ${balancerId} is immutable and cannot be updated.`);
    assert.equal(await statusOf(), 'PENDING_UPDATE');
    cloud.clock.advance(1_000);
    assert.equal(await statusOf(), 'ACTIVE');
    const { listener } = await read(`/listeners/${accepted.body.listener.id}`);
    assert.equal(listener.provisioning_status, 'ACTIVE');
  });

  it('deletes a load balancer with children only by cascade, with its port', async () => {
    cloud.clock.advance(1_000);
    const { id } = (await createListener(80)).body.listener;
    cloud.clock.advance(1_000);
    const path = `${LBAAS}/loadbalancers/${balancerId}`;

    const plain = await demo.call('DELETE', path);
    const cascade = await demo.call('DELETE', `${path}?cascade=true`);
    const again = await demo.call('DELETE', `${path}?cascade=true`);
    cloud.clock.advance(1_000);

    assert.deepEqual([plain.status, cascade.status, again.status], [400, 204, 409]);
    assert.match(again.body.faultstring, /^Invalid state PENDING_DELETE/);
    for (const gone of [path, `${LBAAS}/listeners/${id}`, `${NETWORK}/ports/${portId}`]) {
      assert.equal((await demo.call('GET', gone)).status, 404, gone);
    }
  });

  it('compares the protocols of a pool and a listener that comes alone', async () => {
    cloud.clock.advance(1_000);
    const { id } = (await createListener(80)).body.listener;
    cloud.clock.advance(1_000);
    const pool = { listener_id: id, protocol: 'HTTPS', lb_algorithm: 'ROUND_ROBIN' };

    const alone = await demo.call('POST', `${LBAAS}/pools`, { pool });
    const both = await demo.call('POST', `${LBAAS}/pools`, {
      pool: { ...pool, loadbalancer_id: balancerId },
    });

    assert.deepEqual([alone.status, both.status], [400, 201]);
    assert.match(alone.body.faultstring, /'HTTPS' is invalid while the listener protocol is 'HTTP'\.$/);
  });

  it("responds 403 for other projects' load balancers, except to administrators", async () => {
    const [alice, admin] = [await cloud.as('alice'), await cloud.as('admin')];
    const path = `${LBAAS}/loadbalancers/${balancerId}`;

    assert.equal((await alice.call('GET', path)).status, 403);
    assert.equal((await admin.call('GET', path)).status, 200);
    const listed = (await admin.call('GET', `${LBAAS}/loadbalancers`)).body.loadbalancers;
    assert.equal(listed.length, 1);
    assert.deepEqual((await alice.call('GET', `${LBAAS}/loadbalancers`)).body.loadbalancers, []);
  });
});
