import assert from 'node:assert/strict';
import { GatewayError } from '@gateway/core';
import { resolveLibraries } from '@gateway/libraries';
import { library } from './library.ts';

const catalogue = [
  library('runtime'),
  library('arrays', { dependsOn: ['runtime'] }),
  library('frames', { dependsOn: ['arrays', 'runtime'] }),
  library('plots', { dependsOn: ['arrays'] }),
];

function ids(...asked: string[]): string[] {
  return resolveLibraries(catalogue, asked).map(({ id }) => id);
}

describe('resolveLibraries', () => {
  it('puts everything a library depends on before it', () => {
    assert.deepEqual(ids('frames'), ['runtime', 'arrays', 'frames']);
  });

  it('names a library once, however often it is asked for or needed', () => {
    assert.deepEqual(ids('plots', 'frames', 'plots', 'runtime'), ['runtime', 'arrays', 'plots', 'frames']);
  });

  it('keeps the order asked for where no dependency speaks against it', () => {
    assert.deepEqual(ids('frames', 'plots').slice(-2), ['frames', 'plots']);
    assert.deepEqual(ids('plots', 'frames').slice(-2), ['plots', 'frames']);
  });

  it('refuses unknown ids, naming each of them once', () => {
    assert.throws(
      () => ids('frames', 'nope', 'none', 'nope'),
      (error) => {
        assert.ok(error instanceof GatewayError);
        assert.equal(error.status, 400);
        assert.match(error.message, /nope, none/);
        assert.deepEqual(
          error.errors?.map(({ field }) => field),
          ['body.libraries', 'body.libraries'],
        );
        return true;
      },
    );
  });

  it('tells a hole in the catalogue from a caller’s mistake', () => {
    const broken = [library('a', { dependsOn: ['gone'] })];

    assert.throws(
      () => resolveLibraries(broken, ['a']),
      (error) => !(error instanceof GatewayError),
    );
  });

  it('comes to an end on a catalogue that depends in a circle', () => {
    const circle = [library('a', { dependsOn: ['b'] }), library('b', { dependsOn: ['a'] })];

    assert.equal(resolveLibraries(circle, ['a']).length, 2);
  });
});
