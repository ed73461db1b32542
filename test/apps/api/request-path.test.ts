import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { endpoints } from '../../../apps/api/src/routes/index.ts';
import type { ErrorBody } from '../../support/api/client.ts';
import { inOtherProject, newCaller } from '../../support/api/factories.ts';
import { apiSuite } from '../../support/api/suite.ts';

const REQUEST_ID = 'req-0f3c2a9e-5b8d-4c1e-9a77-1234567890ab';

describe('a request', () => {
  const suite = apiSuite();

  describe('has an id that', () => {
    for (const header of ['X-Request-Id', 'X-OpenStack-Request-Id']) {
      it(`is taken from ${header}, returned, and sent to the cloud`, async () => {
        const api = await suite.start();
        const caller = newCaller();
        suite.cloud.acceptsToken(caller).reply('compute/keypairs');

        const answer = await api.get('/api/keypairs', { as: caller, headers: { [header]: REQUEST_ID } });

        assert.equal(answer.headers['x-request-id'], REQUEST_ID);
        const sent = suite.cloud.upstream.calls.map(({ headers }) => headers['x-openstack-request-id']);
        assert.deepEqual(sent, [REQUEST_ID, REQUEST_ID]);
        const [line] = api.log.withMessage('Request');
        assert.equal(line?.request_id, REQUEST_ID);
      });
    }

    for (const id of [
      'abc',
      'req-1',
      `${REQUEST_ID}x`,
      REQUEST_ID.slice(4),
      'req-0F3C2A9E-5b8d-4c1e-9a77-1234567890ab',
    ]) {
      it(`is replaced if the caller's is ${id}`, async () => {
        const api = await suite.start();

        const answer = await api.get('/api/site-config', { headers: { 'X-Request-Id': id } });

        assert.match(String(answer.headers['x-request-id']), /^req-[0-9a-f-]{36}$/);
        assert.notEqual(answer.headers['x-request-id'], id);
      });
    }

    it('is part of an error body', async () => {
      const api = await suite.start();

      const answer = await api.get<ErrorBody>('/api/nothing', { headers: { 'X-Request-Id': REQUEST_ID } });

      assert.equal(answer.body.request_id, REQUEST_ID);
    });
  });

  describe('for a path', () => {
    for (const path of [
      '/api/nothing',
      '/',
      '/api',
      '/api/instances/1/2/3',
      '/API/instances',
      '/api/Instances',
      '/metrics',
    ]) {
      it(`that does not exist (${path}) is answered 404, without a token`, async () => {
        const api = await suite.start();

        const answer = await api.get<ErrorBody>(path);

        assert.equal(answer.status, 404);
        assert.equal(answer.body.code, 'route_not_found');
      });
    }

    for (const query of ['type=%ED%A0%80', 'type=%ff', 'type=%']) {
      it(`with a query that is not UTF-8 (${query}) is answered 400`, async () => {
        const api = await suite.start();

        const answer = await api.get<ErrorBody>(`/api/jobs?${query}`, { as: newCaller() });

        assert.equal(answer.status, 400);
        assert.equal(answer.body.detail, 'The address is malformed.');
      });
    }

    it('that is not UTF-8 is answered 400', async () => {
      const api = await suite.start();

      const answer = await api.request('DELETE', '/api/keypairs/%ED%A0%80', { as: newCaller() });

      assert.equal(answer.status, 400);
    });

    it('that exists with other methods is answered 405, with an Allow header', async () => {
      const api = await suite.start();

      const images = await api.post<ErrorBody>('/api/images');
      const instances = await api.request('PATCH', '/api/instances');
      const instance = await api.request('PATCH', '/api/instances/abc');

      assert.equal(images.status, 405);
      assert.equal(images.body.code, 'method_not_allowed');
      assert.equal(images.headers.allow, 'GET, HEAD');
      assert.equal(instances.headers.allow, 'GET, HEAD, POST');
      assert.equal(instance.headers.allow, 'GET, HEAD, DELETE, PUT');
    });

    it('of an endpoint does not match an earlier one with parameters', () => {
      const paths = [...new Set(endpoints.map(({ path }) => path))];
      const patterns = paths.map((path) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`));

      const hidden = paths.filter((path, at) => patterns.slice(0, at).some((earlier) => earlier.test(path)));

      assert.deepEqual(hidden, []);
    });

    it('of a route of its own is not taken for an id', async () => {
      const api = await suite.start();

      const read = await api.get('/api/instances/async');
      const removed = await api.request('DELETE', '/api/instances/async');

      assert.equal(read.status, 405);
      assert.equal(removed.status, 405);
      assert.equal(removed.headers.allow, 'POST');
    });

    it('that cannot be decoded is answered 400', async () => {
      const api = await suite.start();

      const answer = await api.get<ErrorBody>('/api/instances/%zz');

      assert.equal(answer.status, 400);
      assert.equal(answer.body.code, 'invalid_input');
    });
  });

  describe('with an id in its path', () => {
    const tricks = [
      '%2e%2e',
      '%2E',
      '..%2f..%2fflavors',
      'a%2fb',
      '%00',
      'a%00b',
      'a%0ab',
      'a%3fb',
      '%20',
      '%c3%a9',
      'x'.repeat(256),
    ];
    for (const id of tricks) {
      it(`is rejected for the id ${id.slice(0, 20)}, without a service call`, async () => {
        const api = await suite.start();
        const caller = suite.cloud.validCaller(newCaller());

        const answer = await api.get<ErrorBody>(`/api/instances/${id}`, { as: caller });

        assert.equal(answer.status, 400);
        assert.deepEqual(answer.body.errors, [{ field: 'path.instance_id', message: 'must be an id' }]);
      });
    }

    it('is not resolved to a parent path', async () => {
      const api = await suite.start();
      const caller = newCaller();

      const answer = await api.get('/api/instances/../keypairs', { as: caller });

      assert.equal(answer.status, 404);
    });
  });

  describe('that reaches no handler', () => {
    it('is 431 with the error body if its headers are too large', async () => {
      const api = await suite.start();

      const answer = await api.get<ErrorBody>('/api/instances', {
        headers: { 'x-auth-token': 'x'.repeat(20_000) },
      });

      assert.equal(answer.status, 431);
      assert.equal(answer.body.code, 'headers_too_large');
    });

    it('is answered 400 with the error body if it is not HTTP', async () => {
      const api = await suite.start();
      const socket = connect(api.port, '127.0.0.1');

      socket.write('GET /api/health HTTP/1.1\r\nhost: a\r\nbad header\r\n\r\n');
      const [head = '', body = ''] = (await textOf(socket)).split('\r\n\r\n');

      assert.match(head, /^HTTP\/1\.1 400 /);
      assert.match(head, /X-Request-Id: req-/);
      assert.equal((JSON.parse(body) as ErrorBody).code, 'invalid_input');
    });
  });

  describe('is checked in this order:', () => {
    it('the path before the token', async () => {
      const api = await suite.start();

      assert.equal((await api.get('/api/nothing')).status, 404);
      assert.equal((await api.request('PATCH', '/api/instances')).status, 405);
    });

    it('the token before the project', async () => {
      const api = await suite.start();
      const caller = newCaller();
      suite.cloud.rejectsToken(caller.token);

      const answer = await api.get('/api/instances', { as: caller, projectId: null });

      assert.equal(answer.status, 401);
    });

    it('the project before the input', async () => {
      const api = await suite.start();
      const caller = newCaller();
      const foreign = inOtherProject(caller);
      suite.cloud.acceptsToken(caller).deniesProject(caller.token, foreign.projectId);

      const answer = await api.post('/api/instances', { as: caller, projectId: foreign.projectId, body: {} });

      assert.equal(answer.status, 403);
    });

    it('the rate limit before the input', async () => {
      const api = await suite.start({ settings: { rate_limits: { password: 1 } } });
      const caller = suite.cloud.validCaller(newCaller());
      const change = () => api.request('PUT', '/api/profile/password', { as: caller, body: {} });

      const first = await change();
      const second = await change();

      assert.equal(first.status, 400);
      assert.equal(second.status, 429);
    });

    it('the token before the rate limit', async () => {
      const api = await suite.start({ settings: { rate_limits: { instance_create: 1 } } });

      const first = await api.post('/api/instances', { body: {} });
      const second = await api.post('/api/instances', { body: {} });

      assert.deepEqual([first.status, second.status], [401, 401]);
    });

    it('the input before the resource', async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());

      const answer = await api.request('DELETE', '/api/instances/%00', { as: caller });

      assert.equal(answer.status, 400);
    });
  });
});
