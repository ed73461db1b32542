import assert from 'node:assert/strict';
import { type Client, idOf, startTestCloud, type TestCloud } from './client.ts';

const NETWORK = '/network/v2.0';

describe('simulated network service', () => {
  let cloud: TestCloud;
  let demo: Client;
  let publicId: string;

  beforeEach(async () => {
    cloud = await startTestCloud();
    demo = await cloud.as('demo');
    publicId = idOf(await demo.call('GET', `${NETWORK}/networks`), 'public');
  });
  afterEach(() => cloud.close());

  async function make(
    kind: string,
    path: string,
    given: object,
  ): Promise<{ id: string; [key: string]: unknown }> {
    const answer = await demo.call('POST', `${NETWORK}/${path}`, { [kind]: given });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body[kind];
  }

  async function isolated(cidr: string): Promise<{ networkId: string; subnetId: string }> {
    const network = await make('network', 'networks', { name: 'n' });
    const subnet = await make('subnet', 'subnets', { network_id: network.id, cidr, ip_version: 4 });
    return { networkId: network.id, subnetId: subnet.id };
  }

  it('assigns each address of a subnet once, and reuses released addresses', async () => {
    const { networkId } = await isolated('10.9.0.0/29');
    const ports = [];
    for (let count = 0; count < 5; count += 1)
      ports.push(await make('port', 'ports', { network_id: networkId }));
    const full = await demo.call('POST', `${NETWORK}/ports`, { port: { network_id: networkId } });
    await demo.call('DELETE', `${NETWORK}/ports/${ports[2]?.id}`);
    const again = await make('port', 'ports', { network_id: networkId });

    const addresses = ports.map((port) => (port.fixed_ips as { ip_address: string }[])[0]?.ip_address);
    assert.equal(new Set(addresses).size, 5);
    assert.equal(full.status, 409);
    assert.equal(full.body.NeutronError.type, 'IpAddressGenerationFailure');
    assert.deepEqual(again.fixed_ips, ports[2]?.fixed_ips);
  });

  it('gives a network a free tunnel ID after another was deleted', async () => {
    const names = ['one', 'two', 'three'];
    const networks = [];
    for (const name of names) networks.push(await make('network', 'networks', { name }));
    assert.equal((await demo.call('DELETE', `${NETWORK}/networks/${networks[0]?.id}`)).status, 204);

    for (const name of ['four', 'five']) await make('network', 'networks', { name });

    const admin = await cloud.as('admin');
    const { networks: all } = (await admin.call('GET', `${NETWORK}/networks`)).body;
    const segments = all.map((row: Record<string, unknown>) => row['provider:segmentation_id']);
    assert.equal(new Set(segments).size, all.length);
  });

  it('requires port security for security groups, and its removal without groups', async () => {
    const { networkId } = await isolated('10.9.0.0/24');
    const port = await make('port', 'ports', { network_id: networkId });
    const groups = port.security_groups as string[];
    const update = (changes: object) => demo.call('PUT', `${NETWORK}/ports/${port.id}`, { port: changes });

    const answers = [
      await update({ port_security_enabled: false }),
      await update({ port_security_enabled: false, security_groups: [] }),
      await update({ security_groups: groups }),
      await update({ security_groups: [] }),
      await update({ port_security_enabled: true, security_groups: [...groups, ...groups] }),
      await update({ port_security_enabled: true, security_groups: groups }),
    ];

    assert.deepEqual(
      answers.map(({ status, body }) => [status, body.NeutronError?.type]),
      [
        [409, 'PortSecurityPortHasSecurityGroup'],
        [200, undefined],
        [400, 'PortSecurityAndIPRequiredForSecurityGroups'],
        [200, undefined],
        [400, 'HTTPBadRequest'],
        [200, undefined],
      ],
    );
  });

  it("writes a record only in the request's revision", async () => {
    const network = await make('network', 'networks', { name: 'n' });
    const path = `${NETWORK}/networks/${network.id}`;
    const revisionOf = async () => (await demo.call('GET', path)).body.network.revision_number as number;
    const stale = { 'if-match': `revision_number=${await revisionOf()}` };
    const subnet = await make('subnet', 'subnets', {
      network_id: network.id,
      cidr: '10.9.0.0/24',
      ip_version: 4,
    });
    const body = { network: { name: 'other' } };

    const refused = [
      await demo.call('PUT', path, body, stale),
      await demo.call('DELETE', path, undefined, stale),
    ];
    await demo.call('DELETE', `${NETWORK}/subnets/${subnet.id}`);
    const current = { 'if-match': `revision_number=${await revisionOf()}` };
    const done = [
      await demo.call('PUT', path, body, current),
      await demo.call('DELETE', path, undefined, { 'if-match': `revision_number=${await revisionOf()}` }),
    ];

    assert.deepEqual(
      refused.map(({ status, body: { NeutronError } }) => [status, NeutronError.type, NeutronError.message]),
      Array(2).fill([412, 'RevisionNumberConstraintFailed', 'Constrained to 1, but current revision is 2']),
    );
    assert.equal(current['if-match'], 'revision_number=3');
    assert.deepEqual(
      done.map(({ status }) => status),
      [200, 204],
    );
  });

  it('rejects deleting a network, subnet or router in use', async () => {
    const { networkId, subnetId } = await isolated('10.9.0.0/24');
    const router = await make('router', 'routers', { name: 'r' });
    const path = `${NETWORK}/routers/${router.id}`;
    await demo.call('PUT', `${path}/add_router_interface`, { subnet_id: subnetId });

    const types = [];
    for (const target of [`${NETWORK}/networks/${networkId}`, `${NETWORK}/subnets/${subnetId}`, path]) {
      const { status, body } = await demo.call('DELETE', target);
      types.push([status, body.NeutronError.type]);
    }
    await demo.call('PUT', `${path}/remove_router_interface`, { subnet_id: subnetId });
    const gone = await demo.call('DELETE', path);

    assert.deepEqual(types, [
      [409, 'NetworkInUse'],
      [409, 'SubnetInUse'],
      [409, 'RouterInUse'],
    ]);
    assert.equal(gone.status, 204);
  });

  it('turns SNAT on with each gateway that does not say otherwise', async () => {
    const gateway = { network_id: publicId };
    const off = { ...gateway, enable_snat: false };
    const router = await make('router', 'routers', { external_gateway_info: off });
    const path = `${NETWORK}/routers/${router.id}`;
    const set = async (external_gateway_info: object) => {
      const { body } = await demo.call('PUT', path, { router: { external_gateway_info } });
      return body.router.external_gateway_info;
    };
    const again = await set(gateway);

    assert.deepEqual(again, { ...(router.external_gateway_info as object), enable_snat: true });
    assert.equal((await set(off)).enable_snat, false);
  });

  it('associates floating IPs only with ports routed to the external network', async () => {
    const { networkId, subnetId } = await isolated('10.9.0.0/24');
    const port = await make('port', 'ports', { network_id: networkId });
    const wanted = { floatingip: { floating_network_id: publicId, port_id: port.id } };

    const unreachable = await demo.call('POST', `${NETWORK}/floatingips`, wanted);
    const router = await make('router', 'routers', { external_gateway_info: { network_id: publicId } });
    await demo.call('PUT', `${NETWORK}/routers/${router.id}/add_router_interface`, { subnet_id: subnetId });
    const reachable = await demo.call('POST', `${NETWORK}/floatingips`, wanted);
    const second = await demo.call('POST', `${NETWORK}/floatingips`, wanted);

    assert.equal(unreachable.body.NeutronError.type, 'ExternalGatewayForFloatingIPNotFound');
    assert.equal(reachable.body.floatingip.status, 'ACTIVE');
    assert.equal(second.status, 409);
    assert.equal(second.body.NeutronError.type, 'FloatingIPPortAlreadyAssociated');
    const all = await demo.call('GET', `${NETWORK}/floatingips`);
    assert.equal(all.body.floatingips.length, 1);
  });

  it('keeps a floating IP when its port is deleted', async () => {
    const netId = idOf(await demo.call('GET', `${NETWORK}/networks`), 'demo-net');
    const port = await make('port', 'ports', { network_id: netId });
    const floating = await make('floatingip', 'floatingips', {
      floating_network_id: publicId,
      port_id: port.id,
      description: 'd',
    });
    await demo.call('DELETE', `${NETWORK}/ports/${port.id}`);

    const { body } = await demo.call(
      'GET',
      `${NETWORK}/floatingips?description=d&fields=port_id&fields=status`,
    );

    assert.ok(floating.id);
    assert.deepEqual(body.floatingips, [{ port_id: null, status: 'DOWN' }]);
  });

  it('refuses requests that exceed a project quota', async () => {
    const alice = await cloud.as('alice');
    const wanted = { floatingip: { floating_network_id: publicId } };
    for (let count = 0; count < 3; count += 1) await alice.call('POST', `${NETWORK}/floatingips`, wanted);

    const { status, body } = await alice.call('POST', `${NETWORK}/floatingips`, wanted);

    assert.equal(status, 409);
    assert.equal(body.NeutronError.message, "Quota exceeded for resources: ['floatingip'].");
  });

  it('refuses a quota below the usage', async () => {
    const { id } = (await demo.call('POST', `${NETWORK}/networks`, { network: { name: 'one' } })).body
      .network;
    const admin = await cloud.as('admin');
    const change = (network: number) =>
      admin.call('PUT', `${NETWORK}/quotas/${demo.projectId}`, { quota: { network } });
    const [low, unlimited] = [await change(0), await change(-1)];

    assert.deepEqual([low.status, unlimited.status], [400, 200]);
    assert.match(low.body.NeutronError.message, /greater than or equal to already used \d+$/);
    await demo.call('DELETE', `${NETWORK}/networks/${id}`);
  });

  it('shows external networks to every project, and forbids members to change them', async () => {
    const alice = await cloud.as('alice');

    assert.equal((await alice.call('GET', `${NETWORK}/networks/${publicId}`)).status, 200);
    assert.equal((await alice.call('DELETE', `${NETWORK}/networks/${publicId}`)).status, 403);
    const foreign = idOf(await demo.call('GET', `${NETWORK}/networks`), 'demo-net');
    assert.equal((await alice.call('GET', `${NETWORK}/networks/${foreign}`)).status, 404);
  });
});
