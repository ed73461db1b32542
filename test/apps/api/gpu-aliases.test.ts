import assert from 'node:assert/strict';
import { newCaller } from '../../support/api/factories.ts';
import { apiSuite } from '../../support/api/suite.ts';
import { fixtureBody } from '../../support/doubles/upstream.ts';

describe('GET /api/admin/gpu-aliases', () => {
  const suite = apiSuite();

  it('has the aliases in flavors, also private ones, without configured devices', async () => {
    const api = await suite.start();
    const as = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    const [flavor] = fixtureBody<object[]>('compute/flavors', 'flavors');
    const withAlias = (alias: string) => ({ ...flavor, extra_specs: { 'pci_passthrough:alias': alias } });
    const flavors = [
      withAlias('l40s:2,l40s-audio:2'),
      withAlias('a100:1'),
      withAlias('l40s:1,house-brand:1'),
      { ...flavor, extra_specs: {} },
    ];
    suite.cloud.reply('compute/flavors', {
      path: /\/flavors\/detail\?(?:.*&)?is_public=None/,
      body: { flavors },
    });

    const { body } = await api.get('/api/admin/gpu-aliases', { as });

    assert.deepEqual(body, [
      // Several devices have this name.
      { alias: 'a100', device_name: 'A100', vendor_id: '10de', device_id: null },
      { alias: 'house-brand', device_name: 'house-brand', vendor_id: null, device_id: null },
      { alias: 'l40s', device_name: 'L40S', vendor_id: '10de', device_id: '26b9' },
    ]);
  });

  it('has only those of the configured devices, without a call', async () => {
    const device = { vendor_id: '10DE', device_id: '2331', name: 'H100', aliases: ['big'] };
    const api = await suite.start({ settings: { gpu: { devices: [device] } } });
    const as = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));

    const { body } = await api.get('/api/admin/gpu-aliases', { as });

    assert.deepEqual(body, [{ alias: 'big', device_name: 'H100', vendor_id: '10de', device_id: '2331' }]);
  });
});
