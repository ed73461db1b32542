import assert from 'node:assert/strict';
import { declaredRecords, type OddRecordEvent, watchLeftOut } from '@gateway/openstack';
import { z } from 'zod';
import {
  flag,
  flagOrNull,
  integerOr,
  integerOrNull,
  item,
  key,
  listOf,
  listOrNull,
  mapOf,
  mapOrNull,
  numberOr,
  numberOrNull,
  part,
  partOrNull,
  text,
  textOrNull,
} from '../../../packages/openstack/src/records/fields.ts';
import { RecordReader } from '../../../packages/openstack/src/records/record.ts';
import { fixtureBody, mockUpstream, type Upstream } from '../../support/doubles/upstream.ts';
import { testCloud } from './cloud.ts';

describe('a field of a record', () => {
  const odd = { absent: undefined, null: null, object: {}, list: [], number: 7.5, flag: true, text: 'x' };

  for (const [name, field, standIn, fitting] of [
    ['text', text(), '', 'text'],
    ['text with a stand-in', text('UNKNOWN'), 'UNKNOWN', 'text'],
    ['text or null', textOrNull(), null, 'text'],
    ['flag', flag(true), true, 'flag'],
    ['flag or null', flagOrNull(), null, 'flag'],
    ['integer', integerOr(3), 3, 'none'],
    ['integer or null', integerOrNull(), null, 'none'],
    ['number', numberOr(3), 3, 'number'],
    ['number or null', numberOrNull(), null, 'number'],
    ['list', listOf(key()), [], 'list'],
    ['list or null', listOrNull(key()), null, 'list'],
    ['map', mapOf(z.string()), {}, 'object'],
    ['map or null', mapOrNull(z.string()), null, 'object'],
    ['part', part({ name: text() }), { name: '' }, 'object'],
    ['part or null', partOrNull({ id: key() }), null, 'none'],
  ] as const) {
    it(`has its stand-in for what is no ${name}`, () => {
      for (const [kind, sent] of Object.entries(odd)) {
        if (kind !== fitting) assert.deepEqual(field.parse(sent), standIn, kind);
      }
    });
  }

  it('takes a number that is sent as a text', () => {
    assert.deepEqual(
      ['12', '-1', '1.5', '1e3', ' 1', ''].map((sent) => [
        integerOrNull().parse(sent),
        numberOr(0).parse(sent),
      ]),
      [
        [12, 12],
        [-1, -1],
        [null, 1.5],
        [null, 0],
        [null, 0],
        [null, 0],
      ],
    );
  });

  it('loses only odd items of a list or map', () => {
    const items = listOf(item({ id: key(), size: integerOr(0) }));

    assert.deepEqual(items.parse([{ id: 'a', size: 'x' }, null, {}, 'b', { id: '' }, { id: 'c', size: 2 }]), [
      { id: 'a', size: 0 },
      { id: 'c', size: 2 },
    ]);
    assert.deepEqual(mapOf(z.string()).parse({ a: 'x', b: null, c: 3 }), { a: 'x' });
  });

  it('is not shared between records', () => {
    const names = listOf(key());
    names.parse(null).push('one');

    assert.deepEqual(names.parse(null), []);
  });
});

describe('a record', () => {
  it('has a JSON schema', () => {
    for (const record of declaredRecords()) {
      const { properties = {} } = z.toJSONSchema(record.schema, { io: 'input' });
      assert.deepEqual(Object.keys(properties), Object.keys(record.fields), record.name);
    }
  });

  it('is read below a key of its row', () => {
    const reader = new RecordReader('row', z.object({ name: key() })).under('row');

    assert.deepEqual(reader.read({ row: { name: 'x' } }), { name: 'x' });
    for (const sent of [null, {}, { row: null }, { row: {} }]) assert.equal(reader.read(sent), null);
  });
});

describe('a row that cannot be a record', () => {
  let upstream: Upstream;
  beforeEach(() => {
    upstream = mockUpstream();
  });
  afterEach(() => upstream.close());

  const [server] = fixtureBody<{ id: string }[]>('compute/servers', 'servers');
  const odd = [{ ...server, id: null }, null, 'row', { name: 'secret', id: '' }];

  it('is left out of its list, counted, and named once an hour', async () => {
    const events: OddRecordEvent[] = [];
    upstream.reply('compute/servers', { body: { servers: [...odd, server] }, times: 2 });
    const cloud = testCloud({ events: { onResponse() {}, onOddRecord: (event) => events.push(event) } });

    const first = await watchLeftOut(() => cloud.mine().compute.servers.list());
    await cloud.mine().compute.servers.list();

    assert.deepEqual(
      first.result.map(({ id }) => id),
      [server?.id],
    );
    assert.equal(first.leftOut, true);
    assert.equal(events.length, 2 * odd.length);
    const [{ record, service, isRepeated, row } = {} as OddRecordEvent] = events;
    assert.deepEqual([service, record, isRepeated], ['compute', 'server', false]);
    assert.match(row, /^name /);
    assert.equal(
      events.slice(odd.length).every((event) => event.isRepeated),
      true,
    );
  });

  it('is a 502 if it was asked for alone', async () => {
    upstream.reply('compute/server', { body: { server: { name: 'x' } } });
    const { id } = fixtureBody<{ id: string }>('compute/server', 'server');

    await assert.rejects(testCloud().mine().compute.servers.get(id), {
      status: 502,
      code: 'upstream_error',
    });
  });

  it('leaves a list without it complete', async () => {
    upstream.reply('compute/servers');

    const { leftOut } = await watchLeftOut(() => testCloud().mine().compute.servers.list());

    assert.equal(leftOut, false);
  });
});
