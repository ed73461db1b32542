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

function ids(...requested: string[]): string[] {
  return resolveLibraries(catalogue, requested).map(({ id }) => id);
}

describe('resolveLibraries', () => {
  it('puts the dependencies of a library before it', () => {
    assert.deepEqual(ids('frames'), ['runtime', 'arrays', 'frames']);
  });

  it('names a library once, even if requested twice or a dependency', () => {
    assert.deepEqual(ids('plots', 'frames', 'plots', 'runtime'), ['runtime', 'arrays', 'plots', 'frames']);
  });

  it('keeps the requested order where dependencies allow it', () => {
    assert.deepEqual(ids('frames', 'plots').slice(-2), ['frames', 'plots']);
    assert.deepEqual(ids('plots', 'frames').slice(-2), ['plots', 'frames']);
  });

  it('refuses unknown ids and names each of them once', () => {
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

  it('does not report an incomplete catalogue as invalid input', () => {
    const broken = [library('a', { dependsOn: ['gone'] })];

    assert.throws(
      () => resolveLibraries(broken, ['a']),
      (error) => !(error instanceof GatewayError),
    );
  });

  it('terminates on a catalogue with a dependency cycle', () => {
    const cyclic = [library('a', { dependsOn: ['b'] }), library('b', { dependsOn: ['a'] })];

    assert.equal(resolveLibraries(cyclic, ['a']).length, 2);
  });
});
