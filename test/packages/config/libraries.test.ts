import assert from 'node:assert/strict';
import { loadConfig } from '@gateway/config';
import { withFile } from './environment.ts';

function load(...libraries: [id: string, ...dependsOn: string[]][]) {
  const entries = libraries.map(([id, ...depends_on]) => ({ id, name: id, version: '1', depends_on }));
  return withFile(JSON.stringify({ libraries: entries }), loadConfig);
}

describe('the catalogue of libraries', () => {
  it('replaces the shipped one, with defaults for what is left out', () => {
    assert.deepEqual(load(['base'], ['top', 'base']).libraries[1], {
      id: 'top',
      name: 'top',
      version: '1',
      packages: [],
      dependsOn: ['base'],
      osVersions: [],
      pythonVersion: null,
      sizeGb: 20,
      build: { image: null, flavor: null, network: null, commands: [] },
    });
  });

  it('may have one library below several', () => {
    assert.equal(load(['base'], ['a', 'base'], ['b', 'base'], ['top', 'a', 'b']).libraries.length, 4);
  });

  it('is refused with a dependency that is not there', () => {
    assert.throws(() => load(['top', 'base']), /: "libraries" has no "base", on which "top" depends\.$/);
  });

  it('is refused with a circle, which is named', () => {
    assert.throws(
      () => load(['d', 'a'], ['a', 'b'], ['b', 'c'], ['c', 'a']),
      /in a circle: a → b → c → a\.$/,
    );
  });

  it('is refused with a library that depends on itself', () => {
    assert.throws(() => load(['a', 'a']), /in a circle: a → a\.$/);
  });

  it('is refused with an id twice', () => {
    assert.throws(() => load(['a'], ['b'], ['a']), /: "libraries" has the id "a" more than once\.$/);
  });
});
