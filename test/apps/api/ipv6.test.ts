import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';
import { eventually } from '../../support/eventually.ts';

describe('an api that listens on :: for both families', () => {
  const suite = apiSuite();

  async function start(settings: Record<string, Record<string, unknown>> = {}): Promise<TestApi> {
    const api = await suite.start({ settings: { ...settings, listen: { host: '::' } } });
    assert.equal(api.service.address().host, '::');
    return api;
  }

  /** A log-in that the identity service refuses. */
  async function logInFrom({ port }: TestApi, host: string): Promise<number | undefined> {
    suite.cloud.rejectsLogIn();
    const headers = { 'content-type': 'application/json' };
    const sent = request({ host, port, path: '/api/auth/login', method: 'POST', headers });
    sent.end(JSON.stringify({ username: 'demo', password: 'wrong' }));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  }

  it('logs the addresses of clients, those of IPv4 in their own form', async () => {
    const api = await start();

    for (const host of ['::1', '127.0.0.1']) assert.equal(await logInFrom(api, host), 401);

    const logged = () => api.log.withMessage('Audit').map(({ address }) => address);
    await eventually(async () => logged().length === 2);
    assert.deepEqual(logged(), ['::1', '127.0.0.1']);
  });

  it('counts the addresses of one network as one client', async () => {
    const api = await start({
      http: { trusted_proxies: ['127.0.0.1', '::1'] },
      rate_limits: { login: 1 },
    });
    const statusFor = async (address: string) => {
      const headers = { 'x-forwarded-for': address };
      return (await api.post('/api/auth/login', { body: {}, headers })).status;
    };

    const statuses: number[] = [];
    for (const address of ['2001:db8::1', '2001:db8:0:ff::2', '2001:db8:1::1', '192.0.2.1', '192.0.2.2']) {
      statuses.push(await statusFor(address));
    }

    assert.deepEqual(statuses, [400, 429, 400, 400, 400]);
  });

  it('counts an IPv4 client once in both forms', async () => {
    const api = await start({ http: { trusted_proxies: ['loopback'] }, rate_limits: { login: 1 } });

    const statuses: number[] = [];
    for (const address of ['192.0.2.1', '::ffff:192.0.2.1']) {
      const headers = { 'x-forwarded-for': address };
      statuses.push((await api.post('/api/auth/login', { body: {}, headers })).status);
    }

    assert.deepEqual(statuses, [400, 429]);
  });
});
