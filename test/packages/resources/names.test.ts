import assert from 'node:assert/strict';
import { forbidden, unauthorized, upstreamUnavailable } from '@gateway/core';
import { addNames, type ListSources, type LoadSources, namesRead } from '@gateway/resources';

interface Row {
  network_id: string | null;
  network_name: string | null;
  subnet_ids: string[];
  subnet_names: (string | null)[];
}

const row = (network_id: string | null, subnet_ids: string[] = []): Row => ({
  network_id,
  network_name: null,
  subnet_ids,
  subnet_names: [],
});

const readers = { config: { timeLimits: { dashboardPartSeconds: 0.02 } } } as unknown as ListSources;

describe('names beside ids', () => {
  let incomplete: number;
  let sources: LoadSources;

  beforeEach(() => {
    incomplete = 0;
    sources = {
      ...readers,
      onIncomplete: () => {
        incomplete += 1;
      },
    } as LoadSources;
  });

  const failing = (error: unknown) => namesRead(() => Promise.reject(error));

  it('are read once for all rows, and null where unknown', async () => {
    let reads = 0;
    const networks = namesRead(async () => {
      reads += 1;
      return [{ id: 'n1', name: 'inside' }, { id: 'n2' }];
    });
    const subnets = namesRead(async () => [{ id: 's1', name: 'first' }]);

    const rows = await addNames(sources, [row('n1', ['s2', 's1']), row('n2'), row('n3'), row(null)], {
      network_id: networks,
      subnet_ids: subnets,
    });

    assert.deepEqual(
      rows.map(({ network_name }) => network_name),
      ['inside', '', null, null],
    );
    assert.deepEqual(rows[0]?.subnet_names, [null, 'first']);
    assert.deepEqual([reads, incomplete], [1, 0]);
  });

  it('are not read without an id', async () => {
    const networks = namesRead(() => assert.fail('No row has an id.'));
    await addNames(sources, [row(null)], { network_id: networks });
  });

  it('are missing in an incomplete list while a service is unavailable', async () => {
    const rows = await addNames(sources, [row('n1')], {
      network_id: failing(upstreamUnavailable('Unavailable.')),
    });

    assert.deepEqual([rows[0]?.network_name, incomplete], [null, 1]);
  });

  it('are missing in a list that is complete if the service refuses', async () => {
    const rows = await addNames(sources, [row('n1')], { network_id: failing(forbidden('No.')) });

    assert.deepEqual([rows[0]?.network_name, incomplete], [null, 0]);
  });

  it('are missing if their service does not answer', async () => {
    const rows = await addNames(sources, [row('n1')], { network_id: namesRead(() => new Promise(() => {})) });

    assert.deepEqual([rows[0]?.network_name, incomplete], [null, 1]);
  });

  it('do not hide that a list is read with an invalid token', async () => {
    const rejected = unauthorized('No.');
    await assert.rejects(addNames(sources, [row('n1')], { network_id: failing(rejected) }), rejected);
  });

  it('never fail a response to a write', async () => {
    for (const error of [unauthorized('No.'), forbidden('No.'), upstreamUnavailable('Unavailable.')]) {
      const rows = await addNames(readers, [row('n1')], { network_id: failing(error) });
      assert.equal(rows[0]?.network_name, null);
    }
  });

  it('do not hide errors of the gateway itself', async () => {
    const error = new TypeError('a mistake');
    await assert.rejects(addNames(readers, [row('n1')], { network_id: failing(error) }), error);
  });
});
