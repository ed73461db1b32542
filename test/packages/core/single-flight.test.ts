import { strict as assert } from 'node:assert';
import { SingleFlight } from '@gateway/core';

describe('A single flight', () => {
  it('runs concurrent calls with the same key once, and later ones again', async () => {
    const flights = new SingleFlight<number>();
    let runs = 0;
    const start = async () => {
      runs += 1;
      return runs;
    };

    assert.deepEqual(
      await Promise.all([flights.run('a', start), flights.run('a', start), flights.run('b', start)]),
      [1, 1, 2],
    );
    assert.equal(await flights.run('a', start), 3);
  });

  it('gives its error to all callers, and is not joined afterwards', async () => {
    const flights = new SingleFlight<number>();
    const fail = () => Promise.reject(new Error('no'));

    const results = await Promise.allSettled([flights.run('a', fail), flights.run('a', async () => 1)]);

    assert.deepEqual(
      results.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    assert.equal(await flights.run('a', async () => 1), 1);
  });

  it('starts once more for the others if the error concerns one caller', async () => {
    const flights = new SingleFlight<number>(() => false);
    let runs = 0;
    const start = async () => {
      runs += 1;
      return runs;
    };

    const first = flights.run('a', () => Promise.reject(new Error('no')));
    const others = Promise.all([flights.run('a', start), flights.run('a', start)]);

    await assert.rejects(first, /no/);
    assert.deepEqual(await others, [1, 1]);
  });

  it('is not joined once detached, and leaves the newer one alone', async () => {
    const flights = new SingleFlight<string>();
    const old = Promise.withResolvers<string>();
    const newer = Promise.withResolvers<string>();
    const first = flights.run('list:1', () => old.promise);

    flights.detach('list:');
    const second = flights.run('list:1', () => newer.promise);
    old.resolve('old');
    assert.equal(await first, 'old');
    const third = flights.run('list:1', async () => 'unexpected');
    newer.resolve('newer');

    assert.deepEqual(await Promise.all([second, third]), ['newer', 'newer']);
  });
});
