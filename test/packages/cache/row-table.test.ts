import assert from 'node:assert/strict';
import { selectFromBody } from '../../../packages/cache/src/bodies.ts';
import { RowTable } from '../../../packages/cache/src/row-table.ts';
import type { Filter, SortKey } from '../../../packages/cache/src/select-rows.ts';

const ROWS = [
  { id: 'a', name: 'Data "one", [x]', size: 3, tags: [{ id: 't1' }], note: '}],{"id":"z"}' },
  { id: 'b', name: 'größe \u{1f600} \\', size: 1, tags: [], note: null },
  { id: 'c', name: 'data two', size: null, tags: [{ id: 't1' }, { id: 't2' }], note: '' },
  { id: 'd', name: '', size: 1, tags: [{ id: 't2' }], note: '\u2028' },
];
const FIELDS = { id: 'id', paths: ['name', 'size', 'tags.id'] };

interface Wanted {
  filters?: Filter[];
  sort?: SortKey[];
  limit?: number;
  marker?: string;
}

async function select(wanted: Wanted, rows: unknown[] = ROWS) {
  const body = Buffer.from(JSON.stringify(rows));
  const content = {
    body,
    encoding: null,
    etag: '"whole"',
    isComplete: true,
    lacksRows: false,
    isInTransition: false,
  };
  const table = await RowTable.read(body, FIELDS);
  return selectFromBody(content, table, {
    key: '',
    rowFields: FIELDS,
    filters: [],
    sort: [],
    limit: undefined,
    marker: undefined,
    ...wanted,
  });
}

async function idsOf(wanted: Wanted): Promise<string> {
  const { body } = await select(wanted);
  return (JSON.parse(body.toString()) as { id: string }[]).map(({ id }) => id).join('');
}

describe('rows of a serialized list', () => {
  it('are cut as they were written, whatever their texts contain', async () => {
    const { body, part } = await select({ limit: 2, marker: 'a' });

    assert.deepEqual(JSON.parse(body.toString()), ROWS.slice(1, 3));
    assert.deepEqual(part, { total: 4, nextMarker: 'c' });
  });

  it('are found by part of a name and by listed ids', async () => {
    const named: Filter = { fields: ['name'], match: 'part', value: 'DATA' };
    const tagged: Filter = { fields: ['tags.id'], match: 'same', value: 't2' };

    assert.equal(await idsOf({ filters: [named] }), 'ac');
    assert.equal(await idsOf({ filters: [tagged] }), 'cd');
    assert.equal(await idsOf({ filters: [named, tagged] }), 'c');
    assert.equal(await idsOf({ filters: [{ ...named, value: 'GRÖSSE' }] }), '');
    assert.equal(await idsOf({ filters: [{ ...named, value: 'GRÖ' }] }), 'b');
  });

  it('are sorted with missing values last, and equal ones by id', async () => {
    assert.equal(await idsOf({ sort: [{ field: 'size', isDescending: false }] }), 'bdac');
    assert.equal(await idsOf({ sort: [{ field: 'size', isDescending: true }] }), 'abdc');
  });

  it('continue after a row that no longer matches', async () => {
    const filters: Filter[] = [{ fields: ['size'], match: 'same', value: 1 }];

    assert.equal(await idsOf({ filters, marker: 'c' }), 'd');
  });

  it('have another entity tag when the total changes, with equal rows', async () => {
    const first = await select({ limit: 1 });
    const more = await select({ limit: 1 }, [...ROWS, { ...ROWS[0], id: 'e' }]);

    assert.deepEqual(first.body, more.body);
    assert.notEqual(first.etag, more.etag);
  });

  it('can be none', async () => {
    const { body, part } = await select({}, []);

    assert.equal(body.toString(), '[]');
    assert.deepEqual(part, { total: 0, nextMarker: null });
  });
});
