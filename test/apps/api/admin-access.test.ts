import assert from 'node:assert/strict';
import { endpoints } from '../../../apps/api/src/routes/index.ts';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller } from '../../support/api/factories.ts';
import { apiSuite } from '../../support/api/suite.ts';

const services = { shared_fs: true, container_infra: true, container: true };

describe('endpoints for administrators', () => {
  const suite = apiSuite();

  it('are all below /api/admin, and nothing else is', () => {
    const isBelow = (path: string) => path.startsWith('/api/admin/');
    const misplaced = endpoints.filter(({ access, path }) => (access === 'admin') !== isBelow(path));
    assert.deepEqual(
      misplaced.map(({ path }) => path),
      [],
    );
  });

  it('are 403 for a member, before anything upstream is touched', async () => {
    const api = await suite.start({ settings: { services } });
    const member = suite.cloud.validCaller(newCaller({ roles: ['member', 'reader'] }));
    await api.get('/api/auth/me', { as: member });
    const before = suite.cloud.calls().length;
    const administrative = endpoints.filter(({ access }) => access === 'admin');

    for (const { method, path } of administrative) {
      const answer = await api.request<ErrorBody>(method, path.replace(/:\w+/g, 'x'), { as: member });
      assert.deepEqual([answer.status, answer.body.code], [403, 'forbidden'], `${method} ${path}`);
      assert.match(answer.body.detail, /administrator/);
    }

    assert.ok(administrative.length > 10);
    assert.equal(suite.cloud.calls().length, before);
  });
});
