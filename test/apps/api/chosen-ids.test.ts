import assert from 'node:assert/strict';
import type { Schema } from 'joi';
import { fieldsOf, itemOf } from '../../../apps/api/src/http/schemas/schema-parts.ts';
import { endpoints } from '../../../apps/api/src/routes/index.ts';
import { newCaller } from '../../support/api/factories.ts';
import { apiSuite } from '../../support/api/suite.ts';
import { fixtureBody } from '../../support/doubles/upstream.ts';

const CHOSEN = /(?:^|_)(?:flavor|user|group)_id$/;
/** Security groups, share groups and server groups have ids of their services. */
const GENERATED = /(?:remote|security|server)_group_id$/;

/** The fields for ids that people choose: in paths, queries and bodies, also within parts of a body. */
function* chosenIdFields(schema: Schema | undefined, at: string): Generator<[string, Schema]> {
  if (schema === undefined) return;
  for (const [name, field] of fieldsOf(schema)) {
    if (CHOSEN.test(name) && !GENERATED.test(name)) yield [`${at}.${name}`, field];
    else yield* chosenIdFields(itemOf(field) ?? field, `${at}.${name}`);
  }
}

const fields = endpoints.flatMap(({ body, method, params, path, query }) =>
  [
    ['path', params],
    ['query', query],
    ['body', body],
  ].flatMap(([part, schema]) => [
    ...chosenIdFields(schema as Schema | undefined, `${method} ${path}: ${part}`),
  ]),
);

describe('ids that people choose', () => {
  const suite = apiSuite();

  it('are taken wherever an id is asked for', () => {
    assert.ok(fields.length >= 40, String(fields.length));
    for (const [at, field] of fields)
      for (const id of ['gpu large 1', 'jo@example.org', 'Domain Users', 'größe', 'a:b', 'm1.tiny'])
        assert.equal(field.validate(id).error, undefined, `${at} of ${id}`);
  });

  it('are refused where they would lead to another path', () => {
    for (const [at, field] of fields)
      for (const id of ['a/b', '.', '..', ' a', 'a ', 'a\nb', ''])
        assert.notEqual(field.validate(id).error, undefined, `${at} of ${JSON.stringify(id)}`);
  });

  it('of users of a directory reach the identity service URL-encoded', async () => {
    const api = await suite.start();
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    const user = { ...fixtureBody<object>('identity/user-create', 'user'), id: 'jo@example.org' };
    suite.cloud.reply('identity/user-create', {
      method: 'PATCH',
      path: '/v3/users/jo%40example.org',
      status: 200,
      body: { user },
    });
    suite.cloud.reply('identity/domains', { optional: true });

    const path = '/api/admin/users/jo%40example.org';
    const { body, status } = await api.request('PATCH', path, { as: admin, body: { enabled: true } });

    assert.deepEqual([status, (body as { id?: string }).id], [200, 'jo@example.org']);
  });
});
