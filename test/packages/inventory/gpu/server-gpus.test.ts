import assert from 'node:assert/strict';
import { listAllServerGpus, listServerGpus } from '@gateway/inventory';
import { fixtureBody, mockUpstream, type Upstream } from '../../../support/doubles/upstream.ts';
import { testCloud } from '../../openstack/cloud.ts';

describe('the GPUs of a project whose cell is partly down', () => {
  let upstream: Upstream;
  beforeEach(() => {
    upstream = mockUpstream();
  });
  afterEach(() => upstream.close());

  const [server] = fixtureBody<{ flavor: object }[]>('compute/servers', 'servers');
  const withGpu = {
    ...server,
    status: 'ACTIVE',
    flavor: { ...server?.flavor, extra_specs: { 'resources:CUSTOM_RTX_A6000': '1' } },
  };
  /** All that the compute service says of a server whose cell is down. */
  const minimal = { id: 'minimal', tenant_id: 'p', status: 'UNKNOWN', created: '2026-11-01T00:00:00Z' };
  const gpu = { devices: [] };

  function servers(...rows: object[]): void {
    upstream.reply('compute/servers', { body: { servers: rows } });
  }

  it('are shown as far as they are known', async () => {
    servers(withGpu, minimal);

    assert.equal((await listServerGpus(testCloud().mine(), gpu)).length, 1);
  });

  it('are not counted to decide', async () => {
    servers(withGpu, minimal);

    await assert.rejects(listAllServerGpus(testCloud().mine(), gpu), { status: 503 });
  });

  it('are all counted otherwise', async () => {
    servers(withGpu);

    assert.equal((await listAllServerGpus(testCloud().mine(), gpu)).length, 1);
  });
});
