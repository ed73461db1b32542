import assert from 'node:assert/strict';
import { formatJson, formatJsonText, type ItemShape, mapInSlices, parseJson, Slices } from '@gateway/core';

/** Long enough to be handled in slices. */
const rows = Array.from({ length: 3_000 }, (_, number) => ({
  id: number,
  name: `row ${number} "quoted" \\ [] {} , Ünïcode 🔑\n`,
  empty: [],
  nested: { list: [1, [2, { deep: '],}' }]], none: null },
  text: 'x'.repeat(number % 200),
}));

async function format(value: unknown): Promise<string> {
  return (await Array.fromAsync(formatJson(value))).join('');
}

/** Parses a text whose parts have a length in bytes, as a connection may deliver them. */
function parse(text: string, { shape, partBytes = 65_536 }: { shape?: ItemShape; partBytes?: number } = {}) {
  const bytes = Buffer.from(text);
  const parts: Buffer[] = [];
  for (let start = 0; start < bytes.length; start += partBytes)
    parts.push(bytes.subarray(start, start + partBytes));
  return parseJson(parts, shape);
}

/** How often the event loop turned while the work was done. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await work().finally(() => {
    isDone = true;
  });
  return turns;
}

describe('parseJson', () => {
  const values: Record<string, unknown> = {
    'a list': rows,
    'a list in an object': { servers: rows, servers_links: [{ rel: 'next', href: 'http://x/?marker=1' }] },
    'several lists': { a: rows, text: 'between', b: [], c: rows.slice(1), d: { e: rows } },
    'an object without lists': { members: { rows } },
    'a list of lists': [rows, [], rows],
    'a list of short values': Array.from({ length: 100_000 }, (_, number) => number % 3 === 0),
    'a long string': 'x'.repeat(300_000),
    'members with special names': { ['__proto__']: rows, '': rows, 'a"b': rows },
  };
  for (const [name, value] of Object.entries(values)) {
    it(`returns what JSON.parse returns for ${name}`, async () => {
      for (const text of [
        JSON.stringify(value),
        JSON.stringify(value, null, 2),
        ` \n${JSON.stringify(value)}\t`,
      ]) {
        assert.deepEqual(await parse(text), JSON.parse(text));
      }
    });
  }

  for (const partBytes of [7, 1447, 1_000_000]) {
    it(`reads a text that comes in parts of ${partBytes} bytes`, async () => {
      for (const value of [rows, { servers: rows, text: '🔑'.repeat(50_000) }]) {
        assert.deepEqual(await parse(JSON.stringify(value), { partBytes }), value);
      }
    });
  }

  it('replaces the items of one list as they are parsed', async () => {
    const shape = { key: 'servers', present: (item: unknown) => (item as { id: number }).id };
    for (const servers of [rows, rows.slice(0, 3), []]) {
      for (const text of [
        JSON.stringify({ others: servers, servers, links: [{ id: 1 }] }),
        JSON.stringify({ servers, nested: { servers } }, null, 2),
      ]) {
        const expected = JSON.parse(text) as object;
        const ids = servers.map(({ id }) => id);
        assert.deepEqual(await parse(text, { shape }), { ...expected, servers: ids });
      }
    }
    assert.deepEqual(await parse('{"servers":null}', { shape }), { servers: null });
  });

  it('refuses every text that JSON.parse refuses', async () => {
    const text = JSON.stringify({ servers: rows, links: [] });
    const list = JSON.stringify(rows);
    const broken = [
      text.slice(0, -1),
      text.slice(0, text.length / 2),
      `${text}}`,
      `${text} x`,
      text.replace('],"links"', '},"links"'),
      text.replace('[{', '[,{'),
      text.replace('},{', '},,{'),
      text.replace('],"links"', ',],"links"'),
      text.replace('"links":[]', '"links":[,]'),
      text.replace('"name"', 'name'),
      text.replace('"servers":', '"servers"'),
      `${list.slice(0, -1)},]`,
      `${list.slice(0, -1)},${' '.repeat(100_000)},1]`,
      `${list}]`,
      list.slice(0, -1),
      `${list.slice(0, -2)}"`,
    ];
    for (const each of broken) {
      assert.throws(() => JSON.parse(each), SyntaxError);
      await assert.rejects(parse(each), SyntaxError, each.slice(-30));
    }
  });

  it('lets the process serve others meanwhile', async () => {
    const text = JSON.stringify({ servers: [...rows, ...rows, ...rows, ...rows] });
    assert.ok((await turnsDuring(() => parse(text))) > 1);
  });
});

describe('formatJson', () => {
  const values: Record<string, unknown> = {
    'a long list': rows,
    'a short list': rows.slice(0, 3),
    'long lists in an object': { servers: rows, none: undefined, run() {}, total: 3, more: rows, last: null },
    'an object that begins without a value': { none: undefined, servers: rows },
    'values without JSON in a list': Array.from({ length: 1_000 }, (_, number) =>
      number % 2 ? undefined : number,
    ),
    'an empty list': [],
    null: null,
    'a date': new Date(0),
  };
  for (const [name, value] of Object.entries(values)) {
    it(`yields what JSON.stringify returns for ${name}`, async () => {
      assert.equal(await format(value), JSON.stringify(value));
      assert.equal(await formatJsonText(value), JSON.stringify(value));
    });
  }

  it('lets the process serve others meanwhile', async () => {
    assert.ok((await turnsDuring(() => format(Array(10).fill(rows).flat()))) > 1);
  });
});

describe('work in slices', () => {
  it('maps all items in their order', async () => {
    for (const count of [0, 1, 499, 500, 5_000]) {
      const items = Array.from({ length: count }, (_, number) => number);
      assert.deepEqual(
        await mapInSlices(items, (item) => item * 2),
        items.map((item) => item * 2),
      );
    }
  });

  it('fails as its work fails', async () => {
    const failing = mapInSlices(rows, ({ id }) => {
      if (id === 2_000) throw new Error('no');
    });
    await assert.rejects(failing, /^Error: no$/);
  });

  it('continues for one caller in each iteration of the event loop', async () => {
    let isOver = false;
    const resolvedInTurn: number[] = [];
    let turn = 0;
    const count = () => {
      turn += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await Promise.all(
      Array.from({ length: 10 }, () => new Slices().pause().then(() => resolvedInTurn.push(turn))),
    );
    isOver = true;

    assert.equal(new Set(resolvedInTurn).size, 10, String(resolvedInTurn));
  });
});
