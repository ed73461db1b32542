import assert from 'node:assert/strict';
import type { ErrorAnswer } from '../../support/api/client.ts';
import { instanceRequest, newCaller } from '../../support/api/factories.ts';
import { apiSuite } from '../../support/api/suite.ts';

describe('a request with a body', () => {
  const suite = apiSuite();

  it('that is malformed JSON is answered 400', async () => {
    const api = await suite.start();

    for (const rawBody of ['{"username": ', '{username: 1}', "{'a': 1}", '\u0000', '{"a":1}}']) {
      const answer = await api.post<ErrorAnswer>('/api/auth/login', {
        rawBody,
        headers: { 'content-type': 'application/json' },
      });
      assert.equal(answer.status, 400, rawBody);
      assert.equal(answer.body.detail, 'The body is not well-formed JSON.');
    }
  });

  it('that is no object is answered 400', async () => {
    const api = await suite.start();

    for (const body of [null, 5, 'text', [], true]) {
      const answer = await api.post<ErrorAnswer>('/api/auth/login', { body });
      assert.equal(answer.status, 400, JSON.stringify(body));
      assert.deepEqual(
        answer.body.errors?.map(({ field }) => field),
        ['body'],
      );
    }
  });

  it('that is missing is answered 400', async () => {
    const api = await suite.start();

    const answer = await api.post<ErrorAnswer>('/api/auth/login');

    assert.equal(answer.status, 400);
    assert.deepEqual(answer.body.errors, [{ field: 'body', message: 'is required' }]);
  });

  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
  ]) {
    it(`of type ${type} is answered 415`, async () => {
      const api = await suite.start();

      const answer = await api.post<ErrorAnswer>('/api/auth/login', {
        rawBody: '{"username":"a","password":"b"}',
        headers: { 'content-type': type },
      });

      assert.equal(answer.status, 415);
      assert.equal(answer.body.code, 'unsupported_media_type');
    });
  }

  it('without a type, or in an encoding nobody knows, is answered 415', async () => {
    const api = await suite.start();
    const rawBody = '{"username":"a","password":"b"}';

    const untyped = await api.post('/api/auth/login', { rawBody });
    const encoded = await api.post('/api/auth/login', {
      rawBody,
      headers: { 'content-type': 'application/json', 'content-encoding': 'zip' },
    });

    assert.equal(untyped.status, 415);
    assert.equal(encoded.status, 415);
  });

  it('over the limit is answered 413, whether it says its length or not', async () => {
    const api = await suite.start({ settings: { http: { body_limit_bytes: 2048 } } });
    const rawBody = JSON.stringify({ username: 'u'.repeat(2048), password: 'p' });
    const headers = { 'content-type': 'application/json' };

    const told = await api.post<ErrorAnswer>('/api/auth/login', { rawBody, headers });
    const chunked = await api.post<ErrorAnswer>('/api/auth/login', {
      rawBody,
      headers: { ...headers, 'transfer-encoding': 'chunked' },
    });

    assert.equal(told.status, 413);
    assert.equal(told.body.code, 'body_too_large');
    assert.equal(chunked.status, 413);
  });

  it('has a limit of 1 MiB by default', async () => {
    const api = await suite.start();
    const headers = { 'content-type': 'application/json' };
    const bodyOf = (bytes: number) => `{"username":"${'u'.repeat(bytes - 15)}"}`;

    const within = await api.post('/api/auth/login', { rawBody: bodyOf(1_048_576), headers });
    const beyond = await api.post('/api/auth/login', { rawBody: bodyOf(1_048_577), headers });

    assert.equal(within.status, 400);
    assert.equal(beyond.status, 413);
  });

  it('nested deeper than 20 levels is answered 400, however deep', async () => {
    const api = await suite.start();
    const caller = newCaller();
    suite.cloud.knows(caller);

    for (const depth of [21, 100_000]) {
      const answer = await api.post<ErrorAnswer>('/api/instances', {
        as: caller,
        rawBody: `{"name":${'['.repeat(depth)}${']'.repeat(depth)}}`,
        headers: { 'content-type': 'application/json' },
      });
      assert.equal(answer.status, 400);
      assert.deepEqual(answer.body.errors, [
        { field: 'body', message: 'must not be nested deeper than 20 levels' },
      ]);
    }
  });

  it('names every bad field at once', async () => {
    const api = await suite.start();
    const caller = suite.cloud.known(newCaller());

    const answer = await api.post<ErrorAnswer>('/api/instances', {
      as: caller,
      body: {
        name: 'a\u0007b',
        flavor_id: '../x',
        strategy: 'fast',
        libraries: ['ok', 5],
        boot_volume_size_gb: 0,
      },
    });

    assert.equal(answer.status, 400);
    assert.equal(answer.body.code, 'invalid_input');
    const fields = answer.body.errors?.map(({ field }) => field).sort();
    assert.deepEqual(fields, [
      'body.boot_volume_size_gb',
      'body.flavor_id',
      'body.image_id',
      'body.libraries.1',
      'body.name',
      'body.strategy',
    ]);
    for (const { field, message } of answer.body.errors ?? []) {
      assert.ok(answer.body.detail.includes(`${field} ${message}`), field);
    }
  });

  for (const [field, value] of [
    ['boot_volume_size_gb', '5'],
    ['boot_volume_size_gb', 5.5],
    ['boot_volume_size_gb', null],
    ['name', 5],
    ['name', ''],
    ['name', 'n'.repeat(256)],
    ['libraries', 'python'],
    ['image_id', ' 0a1b2c3d '],
    ['image_id', '..'],
  ] as const) {
    it(`is refused when ${field} is ${JSON.stringify(value).slice(0, 20)}`, async () => {
      const api = await suite.start();
      const caller = suite.cloud.known(newCaller());

      const answer = await api.post<ErrorAnswer>('/api/instances', {
        as: caller,
        body: instanceRequest({ [field]: value }),
      });

      assert.equal(answer.status, 400);
      assert.deepEqual(
        answer.body.errors?.map((error) => error.field),
        [`body.${field}`],
      );
    });
  }

  it('may have fields that nobody knows', async () => {
    const api = await suite.start();
    suite.cloud.logsIn(newCaller());

    const answer = await api.post('/api/auth/login', {
      rawBody: '{"username":"demo","password":"secret","colour":"blue","__proto__":{"domain_name":5}}',
      headers: { 'content-type': 'application/json' },
    });

    assert.equal(answer.status, 200);
  });

  it('does not repeat a bad value in its answer', async () => {
    const api = await suite.start();

    const answer = await api.post<ErrorAnswer>('/api/auth/login', {
      body: { username: '', password: { secret: 'hunter2hunter2' } },
    });

    assert.equal(answer.status, 400);
    assert.doesNotMatch(answer.text, /hunter2/);
  });
});
