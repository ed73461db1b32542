import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { identityHeaders } from '../../support/api/client.ts';
import { newCaller } from '../../support/api/factories.ts';
import { apiSuite } from '../../support/api/suite.ts';
import { eventually } from '../../support/eventually.ts';

describe('a write whose client leaves before it is authenticated', () => {
  const suite = apiSuite();

  it('has no effect, because nothing would record its caller', async () => {
    const api = await suite.start();
    const { authenticator, openstack } = api.context;
    const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const authenticate = authenticator.authenticate.bind(authenticator);
    authenticator.authenticate = async (...input) => {
      begun.resolve();
      await gate.promise;
      return authenticate(...input);
    };
    let writes = 0;
    const as = openstack.as.bind(openstack);
    openstack.as = (...input) => {
      writes += 1;
      return as(...input);
    };
    const headers = identityHeaders({ as: suite.cloud.validCaller(newCaller()) });
    const leaving = httpRequest({
      host: '127.0.0.1',
      port: api.port,
      method: 'DELETE',
      path: '/api/keypairs/mine',
      headers,
    });
    leaving.on('error', () => {});
    leaving.end();
    await begun.promise;

    leaving.destroy();
    await eventually(async () => api.log.withMessage('Request').length > 0);
    gate.resolve();
    await eventually(async () => suite.cloud.calls().length > 0);
    // A handler would have begun by then: fewer reads come before it.
    for (let read = 0; read < 50; read += 1) await api.context.redis.store.ping();

    assert.deepEqual([writes, suite.cloud.calls()], [0, ['GET /v3/auth/tokens']]);
  });
});
