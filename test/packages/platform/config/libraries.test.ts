import assert from 'node:assert/strict';
import { loadConfig } from '@gateway/platform';
import { withFile } from './environment.ts';

function load(...libraries: [id: string, ...dependsOn: string[]][]) {
  const entries = libraries.map(([id, ...depends_on]) => ({ id, name: id, version: '1', depends_on }));
  return withFile(JSON.stringify({ libraries: entries }), loadConfig);
}

describe('the catalogue of libraries', () => {
  it('replaces the default one, with defaults for absent keys', () => {
    assert.deepEqual(load(['base'], ['top', 'base']).libraries[1], {
      id: 'top',
      name: 'top',
      version: '1',
      packages: [],
      dependsOn: ['base'],
      osVersions: [],
      pythonVersion: null,
      interpreter: false,
      sizeGb: 20,
      build: { image: null, flavor: null, network: null, commands: [] },
    });
  });

  it('may have a library that several others depend on', () => {
    assert.equal(load(['base'], ['a', 'base'], ['b', 'base'], ['top', 'a', 'b']).libraries.length, 4);
  });

  it('is rejected with a missing dependency', () => {
    assert.throws(() => load(['top', 'base']), /: "libraries" has no "base", on which "top" depends\.$/);
  });

  it('is rejected with a dependency cycle', () => {
    assert.throws(
      () => load(['d', 'a'], ['a', 'b'], ['b', 'c'], ['c', 'a']),
      /have a dependency cycle: a → b → c → a\.$/,
    );
  });

  it('is rejected with a library that depends on itself', () => {
    assert.throws(() => load(['a', 'a']), /have a dependency cycle: a → a\.$/);
  });

  it('is rejected with a duplicate id', () => {
    assert.throws(() => load(['a'], ['b'], ['a']), /: "libraries" has the id "a" more than once\.$/);
  });

  it('is rejected with an interpreter whose version has no archive', () => {
    const libraries = [
      { id: 'a', name: 'A', version: '1', interpreter: true, python_version: '3.9' },
      { id: 'b', name: 'B', version: '1', interpreter: true },
    ];

    assert.throws(
      () => withFile(JSON.stringify({ libraries }), loadConfig),
      (error: Error) => {
        assert.match(error.message, /"builds\.interpreters" has no archive of Python 3\.9, which "a" brings/);
        assert.match(error.message, /"libraries" has no python_version for "b"/);
        return true;
      },
    );
  });

  const refused: Record<string, [entry: object, sentence: RegExp]> = {
    'a package of two lines': [{ packages: ['numpy\nscipy'] }, /packages\[0\]" must be a line of text/],
    'a package of nothing': [{ packages: [' '] }, /packages\[0\]" must be a line of text/],
    'a version of two lines': [{ version: '1\n2' }, /version" must be a line of text/],
    'a version of Python that is none': [
      { python_version: 'three' },
      /must be a version of Python, as 3\.11/,
    ],
    'a version of Python that is a number': [{ python_version: 3.11 }, /python_version" must be a string/],
    'one command in place of several': [{ build: { commands: 'true' } }, /commands" must be an array/],
    'a command that is none': [{ build: { commands: [7] } }, /commands\[0\]" must be a string/],
    'an empty command': [{ build: { commands: [''] } }, /commands\[0\]" is not allowed to be empty/],
    'a command with a NUL': [{ build: { commands: ['a\0'] } }, /commands\[0\]" must not contain NUL/],
    'an image that is no text': [{ build: { image: 7 } }, /build\.image" must be a string/],
    'an unknown key of its build': [{ build: { imgae: 'debian' } }, /build\.imgae" is not a known key/],
  };
  for (const [what, [entry, sentence]] of Object.entries(refused)) {
    it(`is rejected with ${what}`, () => {
      const libraries = [{ id: 'a', name: 'A', version: '1', ...entry }];
      assert.throws(() => withFile(JSON.stringify({ libraries }), loadConfig), sentence);
    });
  }

  it('trims values that become file lines, so that builders report them unchanged', () => {
    const libraries = [{ id: 'a', name: 'A', version: ' 2.2\u00a0– stable ', packages: ['numpy '] }];
    const [library] = withFile(JSON.stringify({ libraries }), loadConfig).libraries;
    assert.equal(library?.version, '2.2\u00a0– stable');
    assert.deepEqual(library?.packages, ['numpy']);
  });

  it('accepts commands of several lines, and requirements with conditions', () => {
    const entry = {
      packages: ['pandas>=2; python_version > "3"'],
      build: { commands: ['cd /opt\n\tmake "$x"\n'], flavor: 'm1.large' },
    };
    const libraries = [{ id: 'a', name: 'A', version: '1', ...entry }];
    const [library] = withFile(JSON.stringify({ libraries }), loadConfig).libraries;
    assert.deepEqual(library?.packages, entry.packages);
    assert.deepEqual(library?.build, { image: null, network: null, ...entry.build });
  });
});
