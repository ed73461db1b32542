import assert from 'node:assert/strict';
import { CloudClient } from '../support/clients/cloud-client.ts';
import { testLogin } from '../support/stacks/test-stack.ts';
import { freshLists, has, isNamed, lacks, ROUNDS, type Row } from '../support/subjects/fresh-lists.ts';

describe('a network write', function () {
  this.timeout(60_000 + ROUNDS * 10_000);
  const lists = freshLists();

  it('to networks and subnets is in the next read of their list', () =>
    lists.repeat(async (number) => {
      const list = '/api/networks';
      const network = await lists.assertShown(() => lists.send('POST', list, { name: `fresh-${number}` }), {
        [list]: has,
      });
      const subnetsOf = (rows: Row[]) => rows.find(({ id }) => id === network.id)?.subnets ?? [];
      await lists.assertShown(() => lists.send('PUT', `${list}/${network.id}`, { name: 'renamed' }), {
        [list]: isNamed(network.id, 'renamed'),
      });
      const subnet = await lists.assertShown(
        () => lists.send('POST', `${list}/${network.id}/subnets`, { name: 'fresh', cidr: '10.98.0.0/24' }),
        { [list]: (made) => (rows) => subnetsOf(rows).includes(made.id) },
      );
      await lists.assertShown(() => lists.send('DELETE', `${list}/subnets/${subnet.id}`), {
        [list]: () => (rows) => subnetsOf(rows).length === 0,
      });
      await lists.assertShown(() => lists.send('DELETE', `${list}/${network.id}`), {
        [list]: lacks(network.id),
      });
    }));

  it('to routers, interfaces and gateways is in their next list', async () => {
    const list = '/api/routers';
    const { id: networkId } = await lists.send('POST', '/api/networks', { name: 'routed' });
    const subnet = { name: 'routed', cidr: '10.97.0.0/24' };
    const { id: subnet_id } = await lists.send('POST', `/api/networks/${networkId}/subnets`, subnet);
    const networks = await lists.writer.read<(Row & { is_external: boolean })[]>('/api/networks');
    const external_network_id = networks.find(({ is_external }) => is_external)?.id;
    await lists.repeat(async (number) => {
      const router = await lists.assertShown(() => lists.send('POST', list, { name: `fresh-${number}` }), {
        [list]: has,
      });
      const path = `${list}/${router.id}`;
      await lists.assertShown(() => lists.send('PUT', path, { name: 'renamed' }), {
        [list]: isNamed(router.id, 'renamed'),
      });
      const row = (rows: Row[]) => rows.find(({ id }) => id === router.id);
      const connects = (is: boolean) => () => (rows: Row[]) =>
        row(rows)?.connected_subnet_ids?.includes(subnet_id) === is;
      const leads = (is: boolean) => () => (rows: Row[]) =>
        (row(rows)?.external_gateway_network_id === external_network_id) === is;
      const connect = () => lists.send('POST', `${path}/interfaces`, { subnet_id });
      await lists.assertShown(connect, { [list]: connects(true) });
      const lead = () => lists.send('POST', `${path}/gateway`, { external_network_id });
      await lists.assertShown(lead, { [list]: leads(true) });
      await lists.assertShown(() => lists.send('DELETE', `${path}/gateway`), { [list]: leads(false) });
      await lists.assertShown(() => lists.send('DELETE', `${path}/interfaces/${subnet_id}`), {
        [list]: connects(false),
      });
      await lists.assertShown(() => lists.send('DELETE', path), { [list]: lacks(router.id) });
    });
    // Instances choose the only network of the project.
    await lists.send('DELETE', `/api/networks/subnets/${subnet_id}`);
    await lists.send('DELETE', `/api/networks/${networkId}`);
  });

  it('to networks, subnets, routers and floating IPs is in the next topology', () =>
    lists.repeat(async () => {
      type Drawing = Record<'networks' | 'routers' | 'floating_ips', { id: string; subnets?: string[] }[]>;
      const draw = () => lists.reader.read<Drawing>('/api/networks/topology');
      const { networks } = await draw();
      const make = async (kind: keyof Drawing, path: string, body: object) => {
        const made = await lists.send('POST', path, body);
        const drawn = (await draw())[kind];
        assert.ok(
          drawn.some(({ id, subnets }) => id === made.id || subnets?.includes(made.id)),
          path,
        );
        lists.checks += 1;
        return made.id;
      };
      const drop = async (kind: keyof Drawing, path: string) => {
        await lists.send('DELETE', path);
        const drawn = (await draw())[kind];
        assert.ok(
          drawn.every(
            ({ id, subnets = [] }) => !path.endsWith(id) && !subnets.some((one) => path.endsWith(one)),
          ),
          path,
        );
        lists.checks += 1;
      };
      const network = await make('networks', '/api/networks', { name: 'drawn' });
      const subnet = { name: 'drawn', cidr: '10.96.0.0/24' };
      const subnetId = await make('networks', `/api/networks/${network}/subnets`, subnet);
      const router = await make('routers', '/api/routers', { name: 'drawn' });
      const external = (networks as (Row & { is_external: boolean })[]).find(
        ({ is_external }) => is_external,
      );
      const body = { floating_network_id: external?.id };
      const floating = await make('floating_ips', '/api/networks/floating-ips', body);
      await drop('floating_ips', `/api/networks/floating-ips/${floating}`);
      await drop('routers', `/api/routers/${router}`);
      await drop('networks', `/api/networks/subnets/${subnetId}`);
      await drop('networks', `/api/networks/${network}`);
    }));

  it('to security groups and rules is in their next list', () =>
    lists.repeat(async (number) => {
      const list = '/api/security-groups';
      const group = await lists.assertShown(() => lists.send('POST', list, { name: `fresh-${number}` }), {
        [list]: has,
      });
      await lists.assertShown(() => lists.send('PUT', `${list}/${group.id}`, { name: 'renamed' }), {
        [list]: isNamed(group.id, 'renamed'),
      });
      const rulesOf = (rows: Row[]) => rows.find(({ id }) => id === group.id)?.rules ?? [];
      const rule = await lists.assertShown(
        () => lists.send('POST', `${list}/${group.id}/rules`, { direction: 'ingress', protocol: 'tcp' }),
        { [list]: (made) => (rows) => rulesOf(rows).some(({ id }) => id === made.id) },
      );
      await lists.assertShown(() => lists.send('DELETE', `${list}/${group.id}/rules/${rule.id}`), {
        [list]: () => (rows) => rulesOf(rows).every(({ id }) => id !== rule.id),
      });
      await lists.assertShown(() => lists.send('DELETE', `${list}/${group.id}`), { [list]: lacks(group.id) });
    }));

  it('to load balancers is in the next read of their list', async () => {
    const cloud = await CloudClient.logIn(lists.identityUrl, testLogin('demo'));
    const { subnets } = await cloud.call<{ subnets: { id: string }[] }>(
      'network',
      'GET',
      '/v2.0/subnets?name=demo-subnet',
    );
    const body = { name: 'fresh', vip_subnet_id: subnets[0]?.id };
    await lists.repeat(async () => {
      const { id } = await lists.assertShown(() => lists.send('POST', '/api/loadbalancers', body), {
        '/api/loadbalancers': has,
      });
      const path = `/api/loadbalancers/${id}`;
      await lists.waitFor(path, 'ACTIVE');
      await lists.assertShown(() => lists.send('PUT', path, { name: 'renamed' }), {
        '/api/loadbalancers': isNamed(id, 'renamed'),
      });
      await lists.waitFor(path, 'ACTIVE');
      await lists.assertShown(() => lists.send('DELETE', path), {
        '/api/loadbalancers': () => (rows) =>
          rows.every((row) => row.id !== id || row.status === 'PENDING_DELETE'),
      });
    });
  });
});
