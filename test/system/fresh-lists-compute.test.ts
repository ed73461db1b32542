import { eventually } from '../support/eventually.ts';
import { freshLists, has, isIn, isNamed, lacks, ROUNDS, type Row } from '../support/subjects/fresh-lists.ts';

interface FloatingIp extends Row {
  floating_ip_address: string;
  floating_network_id: string;
}

describe('a compute write', function () {
  this.timeout(60_000 + ROUNDS * 10_000);
  const lists = freshLists();

  it('to key pairs is in the next read of their list', () =>
    lists.repeat(async (number) => {
      const name = `fresh-${number}`;
      const named = (rows: Row[]) => rows.some((row) => row.name === name);
      await lists.assertShown(() => lists.send('POST', '/api/keypairs', { name }), {
        '/api/keypairs': () => named,
      });
      await lists.assertShown(() => lists.send('DELETE', `/api/keypairs/${name}`), {
        '/api/keypairs': () => (rows) => !named(rows),
      });
    }));

  it('to an instance, even by a job, is in its next lists', async () => {
    const request = await lists.writer.smallInstanceRequest('fresh');
    await lists.repeat(async () => {
      const instance = await lists.assertShown(() => lists.send('POST', '/api/instances', request), {
        '/api/instances': has,
        '/api/volumes': (made) => (rows) =>
          rows.some(({ attachments = [] }) => attachments.some(({ server_id }) => server_id === made.id)),
      });
      const path = `/api/instances/${instance.id}`;
      const row = (rows: Row[]) => rows.find(({ id }) => id === instance.id);
      await lists.assertShown(() => lists.send('PUT', path, { name: 'renamed' }), {
        '/api/instances': isNamed(instance.id, 'renamed'),
        '/api/volumes': () => (rows) =>
          rows.some(({ attachments = [] }) =>
            attachments.some(({ server_name }) => server_name === 'renamed'),
          ),
        '/api/networks/floating-ips': () => (rows) =>
          rows.some(({ instance_name }) => instance_name === 'renamed'),
      });
      const [flavor] = (await lists.reader.read<Row[]>('/api/flavors')).filter(
        ({ name }) => name === 'm1.small',
      );
      await lists.assertShown(() => lists.send('POST', `${path}/resize`, { flavor_id: flavor?.id }), {
        '/api/instances': isIn(instance.id, ['RESIZE', 'VERIFY_RESIZE']),
      });
      await lists.waitFor(path, 'VERIFY_RESIZE');
      await lists.assertShown(() => lists.send('POST', `${path}/revert-resize`), {
        '/api/instances': isIn(instance.id, ['REVERT_RESIZE', 'ACTIVE']),
      });
      await lists.waitFor(path, 'ACTIVE');
      await lists.assertShown(() => lists.send('POST', `${path}/stop`), {
        '/api/instances': () => (rows) =>
          row(rows)?.status === 'SHUTOFF' || row(rows)?.task_state === 'powering-off',
      });
      await lists.waitFor(path, 'SHUTOFF');
      await lists.assertShown(() => lists.send('POST', `${path}/start`), {
        '/api/instances': () => (rows) =>
          row(rows)?.status === 'ACTIVE' || row(rows)?.task_state === 'powering-on',
      });
      await lists.waitFor(path, 'ACTIVE');
      const volume = await lists.send('POST', '/api/volumes', { name: 'fresh', size_gb: 1 });
      await lists.waitFor(`/api/volumes/${volume.id}`, 'available');
      await lists.assertShown(() => lists.send('POST', `${path}/volumes`, { volume_id: volume.id }), {
        '/api/volumes': isIn(volume.id, ['reserved', 'attaching', 'in-use']),
      });
      await lists.waitFor(`/api/volumes/${volume.id}`, 'in-use');
      await lists.assertShown(() => lists.send('DELETE', `${path}/volumes/${volume.id}`), {
        '/api/volumes': isIn(volume.id, ['detaching', 'available']),
      });
      await lists.waitFor(`/api/volumes/${volume.id}`, 'available');
      await lists.send('DELETE', `/api/volumes/${volume.id}`);
      const floatingIps = '/api/networks/floating-ips';
      const shows = (address: string, is: boolean) => () => (rows: Row[]) =>
        row(rows)?.ip_addresses?.some(({ addr }) => addr === address) === is;
      const [first] = await lists.reader.read<FloatingIp[]>(floatingIps);
      await lists.assertShown(() => lists.send('DELETE', `${path}/floating-ip`), {
        [floatingIps]: () => (rows) => rows.length === 0,
        '/api/instances': shows(first?.floating_ip_address ?? '', false),
      });
      const floating_network_id = first?.floating_network_id;
      const create = () => lists.send<FloatingIp>('POST', floatingIps, { floating_network_id });
      const made = await lists.assertShown(create, { [floatingIps]: has });
      const { floating_ip_address: address } = made;
      const associate = () =>
        lists.send('POST', `${floatingIps}/${made.id}/associate`, { instance_id: instance.id });
      await lists.assertShown(associate, {
        [floatingIps]: isIn(made.id, ['ACTIVE']),
        '/api/instances': shows(address, true),
      });
      await lists.assertShown(() => lists.send('POST', `${floatingIps}/${made.id}/disassociate`), {
        [floatingIps]: isIn(made.id, ['DOWN']),
        '/api/instances': shows(address, false),
      });
      await lists.assertShown(associate, { '/api/instances': shows(address, true) });
      await lists.assertShown(() => lists.send('DELETE', `${floatingIps}/${made.id}`), {
        [floatingIps]: lacks(made.id),
        '/api/instances': shows(address, false),
      });
      await lists.assertShown(() => lists.send('DELETE', path), {
        '/api/instances': () => (rows) => row(rows) === undefined || row(rows)?.task_state === 'deleting',
      });
      await eventually(async () => row(await lists.writer.read<Row[]>('/api/instances')) === undefined);
    });
  });

  it('to managed clusters is in the next read of their list', () =>
    lists.repeat(async () => {
      const body = { name: 'fresh', cluster_template_id: 'k8s-template' };
      const { id } = await lists.assertShown(() => lists.send('POST', '/api/clusters', body), {
        '/api/clusters': has,
      });
      await lists.waitFor(`/api/clusters/${id}`, 'CREATE_COMPLETE');
      await lists.assertShown(() => lists.send('DELETE', `/api/clusters/${id}`), {
        '/api/clusters': () => (rows) =>
          rows.every((row) => row.id !== id || row.status === 'DELETE_IN_PROGRESS'),
      });
    }));

  it('to containers is in the next read of their list', () =>
    lists.repeat(async () => {
      const { id } = await lists.assertShown(
        () => lists.send('POST', '/api/containers', { image: 'nginx' }),
        {
          '/api/containers': has,
        },
      );
      const path = `/api/containers/${id}`;
      await lists.waitFor(path, 'Created');
      await lists.assertShown(() => lists.send('POST', `${path}/start`), {
        '/api/containers': isIn(id, ['Created', 'Running']),
      });
      await lists.waitFor(path, 'Running');
      await lists.assertShown(() => lists.send('DELETE', path), {
        '/api/containers': () => (rows) => rows.every((row) => row.id !== id || row.status === 'Deleting'),
      });
    }));
});
