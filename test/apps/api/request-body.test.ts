import assert from 'node:assert/strict';
import { type InstanceCreation, readQueued } from '@gateway/jobs';
import type { ErrorBody } from '../../support/api/client.ts';
import { instanceRequest, newCaller } from '../../support/api/factories.ts';
import { networkAnswers } from '../../support/api/network.ts';
import { apiSuite } from '../../support/api/suite.ts';

const NETWORK = {
  id: 'n1',
  name: 'n',
  status: 'ACTIVE',
  subnets: [],
  'router:external': false,
  shared: false,
  project_id: 'p1',
};

describe('a request with a body', () => {
  const suite = apiSuite();

  for (const type of [
    'application/json; charset=utf8',
    'application/json;charset=UTF8',
    'application/json; charset="utf-8"',
    'application/json; charset="UTF8"',
    'Application/JSON; Charset=Utf-8;',
    'application/json; odata=verbose',
  ]) {
    it(`of type ${type} is read as UTF-8`, async () => {
      const api = await suite.start();
      const body = (bytes: Buffer | string) =>
        Buffer.concat([Buffer.from('{"username":["'), Buffer.from(bytes), Buffer.from('"],"password":"b"}')]);

      const read = await api.post<ErrorBody>('/api/auth/login', {
        rawBody: body('größe'),
        headers: { 'content-type': type },
      });
      const broken = await api.post<ErrorBody>('/api/auth/login', {
        rawBody: body(Buffer.from([0xff])),
        headers: { 'content-type': type },
      });

      assert.deepEqual([read.status, read.body.errors?.[0]?.field], [400, 'body.username']);
      assert.equal(broken.body.detail, 'The body is not well-formed UTF-8.');
    });
  }

  const ignoredIn = async (method: string, path: string, body: object) => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const answer = await api.request<ErrorBody>(method, path, { as: caller, body });
    return answer.headers['x-ignored'];
  };

  it('names the fields and parameters that it ignores', async () => {
    networkAnswers(suite.cloud, 'POST /networks', { network: NETWORK }, { status: 201 });

    const ignored = await ignoredIn('POST', '/api/networks?force=1&force=2', {
      name: 'n',
      mtu: 1400,
      tags: null,
    });

    assert.equal(ignored, 'query.force, body.mtu, body.tags');
  });

  it('names ignored fields within parts by their path', async () => {
    const route = { destination: '192.0.2.0/24', nexthop: '10.0.0.9', metric: 3 };
    networkAnswers(suite.cloud, 'GET /networks/n1', { network: NETWORK });

    const ignored = await ignoredIn('POST', '/api/networks/n1/subnets', {
      name: 's',
      cidr: '10.0.0.0/24',
      ipv6_ra_mode: 'slaac',
      host_routes: [route],
    });

    assert.equal(ignored, 'body.ipv6_ra_mode, body.host_routes.0.metric');
  });

  it('names ignored fields within a form that a value may have', async () => {
    const api = await suite.start();
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));

    const answer = await api.request('PUT', '/api/admin/gpu-quotas/defaults', {
      as: admin,
      body: { A100: { limit: 8, hard: true }, H100: 2 },
    });

    assert.deepEqual([answer.status, answer.headers['x-ignored']], [200, 'body.A100.hard']);
  });

  for (const [what, body, ignored] of [
    ['names all fields of a body', { rawBody: '{"nodes":["a"],"force":true}' }, 'body.nodes, body.force'],
    ['names the parameters', {}, undefined],
    ['takes a body that is no object', { rawBody: '["a"]' }, undefined],
    ['takes a body that is no JSON', { rawBody: '{"nodes":' }, undefined],
    [
      'takes a body of another type',
      { rawBody: 'a=b', type: 'application/x-www-form-urlencoded' },
      undefined,
    ],
    ['takes a body with a long text', { rawBody: JSON.stringify({ long: 'x'.repeat(5000) }) }, undefined],
  ] as [string, { rawBody?: string; type?: string }, string | undefined][]) {
    it(`${what} where the endpoint takes none`, async () => {
      const api = await suite.start({ settings: { http: { body_limit_bytes: 4096 } } });
      const caller = suite.cloud.validCaller(newCaller());

      const { rawBody, type = 'application/json' } = body;
      const answer = await api.request('POST', '/api/auth/extend-session?force=1', {
        as: caller,
        ...(rawBody !== undefined && {
          rawBody,
          headers: { 'content-type': type, 'transfer-encoding': 'chunked' },
        }),
      });

      const named = ignored === undefined ? 'query.force' : `query.force, ${ignored}`;
      assert.deepEqual([answer.status, answer.headers['x-ignored']], [200, named], answer.text);
    });
  }

  it('names nothing if it ignores nothing', async () => {
    networkAnswers(suite.cloud, 'POST /networks', { network: NETWORK }, { status: 201 });

    assert.equal(await ignoredIn('POST', '/api/networks', { name: 'n' }), undefined);
  });

  it('names ignored fields safely, and not without end', async () => {
    networkAnswers(suite.cloud, 'POST /networks', { network: NETWORK }, { status: 201 });
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`x${at}`, at]));

    const ignored = await ignoredIn('POST', '/api/networks', {
      name: 'n',
      'a\r\nSet-Cookie: b': 1,
      'größe, und': 1,
      [`long${'g'.repeat(9000)}`]: 1,
      ...many,
    });

    assert.match(
      String(ignored),
      /^body\.a%0D%0ASet-Cookie%3A%20b, body\.gr%C3%B6%C3%9Fe%2C%20und, body\.longg+\.\.\., body\.x0, /,
    );
    assert.match(String(ignored), /, body\.x16, \.\.\.$/);
  });

  it('that is malformed JSON is answered 400', async () => {
    const api = await suite.start();

    for (const rawBody of ['{"username": ', '{username: 1}', "{'a': 1}", '\u0000', '{"a":1}}']) {
      const answer = await api.post<ErrorBody>('/api/auth/login', {
        rawBody,
        headers: { 'content-type': 'application/json' },
      });
      assert.equal(answer.status, 400, rawBody);
      assert.equal(answer.body.detail, 'The body is not well-formed JSON.');
    }
  });

  it('that is not UTF-8 is answered 400', async () => {
    const api = await suite.start();
    const around = [Buffer.from('{"name":"'), Buffer.from('"}')];

    // A byte that is never valid in UTF-8, and half of an encoded surrogate pair.
    for (const bytes of [[0xff], [0xed, 0xa0, 0x80]]) {
      const answer = await api.post<ErrorBody>('/api/auth/login', {
        rawBody: Buffer.concat([around[0], Buffer.from(bytes), around[1]] as Buffer[]),
        headers: { 'content-type': 'application/json' },
      });
      assert.equal(answer.status, 400);
      assert.equal(answer.body.detail, 'The body is not well-formed UTF-8.');
    }
  });

  it('that is not an object is answered 400', async () => {
    const api = await suite.start();

    for (const body of [null, 5, 'text', [], true]) {
      const answer = await api.post<ErrorBody>('/api/auth/login', { body });
      assert.equal(answer.status, 400, JSON.stringify(body));
      assert.deepEqual(
        answer.body.errors?.map(({ field }) => field),
        ['body'],
      );
    }
  });

  it('that is missing is answered 400', async () => {
    const api = await suite.start();

    const answer = await api.post<ErrorBody>('/api/auth/login');

    assert.equal(answer.status, 400);
    assert.deepEqual(answer.body.errors, [{ field: 'body', message: 'is required' }]);
  });

  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/json; charset=latin1',
    'application/json; charset=utf9',
  ]) {
    it(`of type ${type} is answered 415`, async () => {
      const api = await suite.start();

      const answer = await api.post<ErrorBody>('/api/auth/login', {
        rawBody: '{"username":"a","password":"b"}',
        headers: { 'content-type': type },
      });

      assert.equal(answer.status, 415);
      assert.equal(answer.body.code, 'unsupported_media_type');
    });
  }

  it('without a type, or in an unknown encoding, is answered 415', async () => {
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

  it('over the limit is answered 413, with or without a Content-Length', async () => {
    const api = await suite.start({ settings: { http: { body_limit_bytes: 2048 } } });
    const rawBody = JSON.stringify({ username: 'u'.repeat(2048), password: 'p' });
    const headers = { 'content-type': 'application/json' };

    const withLength = await api.post<ErrorBody>('/api/auth/login', { rawBody, headers });
    const chunked = await api.post<ErrorBody>('/api/auth/login', {
      rawBody,
      headers: { ...headers, 'transfer-encoding': 'chunked' },
    });

    assert.equal(withLength.status, 413);
    assert.equal(withLength.body.code, 'body_too_large');
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

  it('nested deeper than 20 levels is answered 400, at any depth', async () => {
    const api = await suite.start();
    const caller = newCaller();
    suite.cloud.acceptsToken(caller);

    for (const depth of [21, 100_000]) {
      const answer = await api.post<ErrorBody>('/api/instances', {
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

  it('is refused with all invalid fields at once', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());

    const answer = await api.post<ErrorBody>('/api/instances', {
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
  });

  it('is rejected with a readable message that lists each problem once', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const post = async (body: Record<string, unknown>) =>
      (await api.post<ErrorBody>('/api/instances', { as: caller, body: instanceRequest(body) })).body.detail;

    assert.equal(
      await post({ name: 5, libraries: ['ok', 5] }),
      'The request is not valid: name must be a string; item 2 of libraries must be a string.',
    );
    assert.match(
      await post({ libraries: Array.from({ length: 50 }, () => 5) }),
      /^The request is not valid: (?:item \d of libraries must be a string; ){5}45 more problems\.$/,
    );
  });

  it('may have null for optional fields, which counts as absent', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const optional = [
      'libraries',
      'strategy',
      'network_id',
      'key_name',
      'admin_pass',
      'availability_zone',
      'boot_volume_size_gb',
    ];

    const stream = await api.stream('POST', '/api/instances/async', {
      as: caller,
      body: instanceRequest(Object.fromEntries(optional.map((name) => [name, null]))),
    });
    stream.close();
    const jobId = String(stream.headers.get('x-job-id'));
    const plain = await api.stream('POST', '/api/instances/async', { as: caller, body: instanceRequest() });
    plain.close();
    const payloadOf = async (id: string) => {
      const payload = (await readQueued(api.context.redis.store, id))?.payload as InstanceCreation;
      return { ...payload, found: { ...payload.found, at: 0 } };
    };

    assert.equal(stream.status, 200);
    assert.deepEqual(await payloadOf(jobId), await payloadOf(String(plain.headers.get('x-job-id'))));
  });

  it('with null for a required field is answered 400', async () => {
    const api = await suite.start();

    const answer = await api.post<ErrorBody>('/api/auth/login', {
      body: { username: null, password: 'p' },
    });

    assert.deepEqual(answer.body.errors, [{ field: 'body.username', message: 'is required' }]);
  });

  for (const items of [51, 100_000, 250_000]) {
    it(`with ${items} array items instead of 50 is 400 without their validation`, async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());

      const answer = await api.post<ErrorBody>('/api/instances', {
        as: caller,
        body: instanceRequest({ libraries: Array.from({ length: items }, () => 5), strategy: 'fast' }),
      });

      assert.equal(answer.status, 400);
      assert.deepEqual(answer.body.errors?.slice(0, 1), [
        { field: 'body.libraries', message: 'must have at most 50 items' },
      ]);
      assert.deepEqual(
        answer.body.errors?.map(({ field }) => field),
        ['body.libraries', 'body.strategy'],
      );
    });
  }

  it('with too many problems is answered with the first ones', async () => {
    const api = await suite.start();
    const rawBody = `[${Array.from({ length: 100_000 }, () => '"\\ud800"')}]`;

    const answer = await api.post<ErrorBody>('/api/auth/login', {
      rawBody,
      headers: { 'content-type': 'application/json' },
    });

    assert.equal(answer.status, 400);
    assert.equal(answer.body.errors?.length, 100);
    assert.ok(answer.text.length < 10_000);
  });

  for (const [what, rawBody, field] of [
    ['a value', '{"username":"a\\ud800","password":"p"}', 'body.username'],
    ['a value that nobody looks at', '{"username":"a","password":"p","x":[{"y":"\\udfff"}]}', 'body.x.0.y'],
    ['a name', '{"username":"a","password":"p","x":{"\\ud800":1}}', 'body.x'],
  ] as const) {
    it(`with an unpaired surrogate in ${what} is answered 400`, async () => {
      const api = await suite.start();

      const answer = await api.post<ErrorBody>('/api/auth/login', {
        rawBody,
        headers: { 'content-type': 'application/json' },
      });

      assert.equal(answer.status, 400);
      assert.deepEqual(
        answer.body.errors?.map((error) => error.field),
        [field],
      );
      assert.match(String(answer.body.errors?.[0]?.message), /well-formed Unicode/);
    });
  }

  for (const [what, name] of [
    ['blank', '  '],
    ['padded in front', ' web'],
    ['padded behind', 'web\u00a0'],
    ['turned around', 'web\u202egpj'],
    ['with a direction mark', 'web\u200f'],
    ['with something that is not seen', 'we\u200bb'],
    ['with an escape sequence', 'web\u001b[2J'],
    ['of two lines', 'web\u2028db'],
  ] as const) {
    for (const path of ['/api/instances/async', '/api/keypairs']) {
      it(`of ${path} with a ${what} name is 400 before any work`, async () => {
        const api = await suite.start();
        const caller = suite.cloud.validCaller(newCaller());

        const answer = await api.post<ErrorBody>(path, { as: caller, body: instanceRequest({ name }) });

        assert.equal(answer.status, 400);
        assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
        assert.deepEqual([...new Set(answer.body.errors?.map(({ field }) => field))], ['body.name']);
      });
    }
  }

  it('may have a name in any script', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('compute/keypair-create');
    const name = 'Ünïcode 機械 \u0645\u06cc\u200c\u062e 👩‍💻';

    const answer = await api.post('/api/keypairs', { as: caller, body: { name } });

    assert.equal(answer.status, 200);
  });

  for (const [field, value] of [
    ['boot_volume_size_gb', '5'],
    ['boot_volume_size_gb', 5.5],
    ['name', 5],
    ['name', ''],
    ['name', 'n'.repeat(256)],
    ['libraries', 'python'],
    ['image_id', ' 0a1b2c3d '],
    ['image_id', '..'],
  ] as const) {
    it(`is refused when ${field} is ${JSON.stringify(value).slice(0, 20)}`, async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());

      const answer = await api.post<ErrorBody>('/api/instances', {
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

  it('may have unknown fields', async () => {
    const api = await suite.start();
    suite.cloud.acceptsLogIn(newCaller());

    const answer = await api.post('/api/auth/login', {
      rawBody: '{"username":"demo","password":"secret","colour":"blue","__proto__":{"domain_name":5}}',
      headers: { 'content-type': 'application/json' },
    });

    assert.equal(answer.status, 200);
  });

  it('is refused without quoting the invalid value', async () => {
    const api = await suite.start();

    const answer = await api.post<ErrorBody>('/api/auth/login', {
      body: { username: '', password: { secret: 'hunter2hunter2' } },
    });

    assert.equal(answer.status, 400);
    assert.doesNotMatch(answer.text, /hunter2/);
  });
});
