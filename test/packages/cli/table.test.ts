import assert from 'node:assert/strict';
import { fitColumns } from '../../../packages/cli/src/output/fit-columns.ts';
import { formatRecord, formatTable } from '../../../packages/cli/src/output/table.ts';
import { cut, widthOf, wrap } from '../../../packages/cli/src/output/width.ts';
import { FakeGateway } from './fake-gateway.ts';
import { Terminal } from './terminal.ts';

const ID = '11111111-2222-3333-4444-555555555555';
const TIME = '2026-11-29T00:39:22Z';
const HEAD = ['ID', 'NAME', 'STATUS', 'SIZE', 'CREATED_AT'];
const ROW = [ID, 'the production database', 'ACTIVE', '1073741824', TIME];

describe('a table', () => {
  /** The lines on a terminal of this width. */
  function lines(width: number, rows = [HEAD, ROW], keepsAll = false): string[] {
    return formatTable(rows, fitColumns(rows, width, { keepsAll }));
  }

  it('is as wide as its contents where there is room', () => {
    assert.deepEqual(lines(Number.POSITIVE_INFINITY), [
      `ID${' '.repeat(36)}NAME                     STATUS  SIZE        CREATED_AT`,
      `${ID}  the production database  ACTIVE  1073741824  ${TIME}`,
    ]);
  });

  it('shortens ids, times and texts, and then loses columns', () => {
    assert.deepEqual(lines(80), [
      'ID         NAME                     STATUS  SIZE        CREATED_AT',
      `11111111…  the production database  ACTIVE  1073741824  ${TIME}`,
    ]);
    assert.deepEqual(lines(65), [
      'ID         NAME                   STATUS  SIZE        CREATED_AT',
      '11111111…  the production datab…  ACTIVE  1073741824  2026-11-29…',
    ]);
    assert.deepEqual(lines(44), [
      'ID         NAME           STATUS  SIZE',
      '11111111…  the producti…  ACTIVE  1073741824',
    ]);
  });

  it('keeps the columns that the user has chosen', () => {
    assert.equal(lines(40, [HEAD, ROW], true)[0], 'ID         NAME        STATUS  SIZE        CREATED_AT');
  });

  it('measures wide letters as a terminal does', () => {
    const rows = [
      ['NAME', 'STATUS'],
      ['名前名前名前名前', 'ACTIVE'],
      ['👩‍💻 e\u0301', 'ERROR'],
    ];

    assert.deepEqual(lines(40, rows), [
      `NAME${' '.repeat(14)}STATUS`,
      '名前名前名前名前  ACTIVE',
      `👩‍💻 e\u0301${' '.repeat(14)}ERROR`,
    ]);
    assert.equal(cut('名前名前', 6), '名前…');
    assert.equal(cut('a👩‍💻b', 3), 'a…');
    assert.equal(widthOf(cut('名前名前', 6)), 5);
  });
});

describe('a record', () => {
  it('continues a long value beside its name', () => {
    const value = 'one two three four five six seven eight nine ten';

    assert.deepEqual(
      formatRecord(
        [
          ['name', value],
          ['id', ID],
        ],
        44,
      ),
      ['name  one two three four five six seven', '      eight nine ten', `id    ${ID}`],
    );
  });

  it('has a value below its name where there is little room', () => {
    assert.deepEqual(
      formatRecord(
        [
          ['network_id', ID],
          ['name', 'web'],
        ],
        40,
      ),
      ['network_id', `  ${ID}`, 'name        web'],
    );
  });

  it('is cut nowhere', () => {
    const value = `${'x'.repeat(30)} ${'名'.repeat(30)}`;

    assert.equal(wrap(value, 20).join('').replaceAll(' ', ''), value.replace(' ', ''));
    assert.ok(wrap(value, 20).every((line) => widthOf(line) <= 20));
  });
});

describe('the commands on a terminal', () => {
  const gateway = new FakeGateway();
  const terminal = new Terminal();
  const instance = {
    ...{ id: ID, name: '名前 web', status: 'ACTIVE', flavor_name: 'm1.tiny', image_name: 'ubuntu-22.04' },
    ...{ ip_addresses: ['10.0.0.5', '192.168.0.7'], created_at: TIME, user_data: 'x'.repeat(200) },
  };

  before(async () => {
    await gateway.start();
    gateway.answers({
      'GET /api/instances': { body: [instance] },
      [`GET /api/instances/${ID}`]: { body: instance },
    });
  });

  after(async () => {
    terminal.remove();
    await gateway.stop();
  });

  for (const columns of [40, 80]) {
    for (const command of ['list instances', `show instance ${ID}`]) {
      it(`fill no more than ${columns} columns: ${command.replace(ID, 'ID')}`, async () => {
        const env = {
          GATEWAY_URL: gateway.url,
          GATEWAY_TOKEN: 'token',
          GATEWAY_PROJECT_ID: 'p',
          NO_COLOR: '1',
        };

        const { stdout, stderr } = await terminal.run(command.split(' '), { env, types: [], columns });

        const widest = Math.max(...stdout.split('\n').map(widthOf));
        assert.ok(widest <= columns, stdout);
        assert.match(stdout, /名前 web/);
        assert.equal(/No room for: .*created_at/.test(stderr), columns === 40 && command.startsWith('list'));
      });
    }
  }
});
