import assert from 'node:assert/strict';
import { loadConfig } from '@gateway/platform';
import { minimalEnvironment, withFile } from './environment.ts';

const { libraries, builds } = loadConfig(minimalEnvironment());

function nameOf(requirement: string): string {
  return (/^[\w.-]+/.exec(requirement)?.[0] ?? '').toLowerCase().replaceAll(/[-_.]+/g, '-');
}

const versions = new Map(
  builds.constraints.map((constraint) => {
    const [name = '', version = ''] = constraint.split('==');
    return [name, version];
  }),
);

/** `npm run test:catalogue` asks the package index. */
describe('the default constraints', () => {
  it('have one version of each package, sorted by name', () => {
    const names = [...versions.keys()];

    assert.deepEqual(names, names.map(nameOf), 'normalised');
    assert.deepEqual(names, [...new Set(names)].sort());
    assert.equal(names.length, builds.constraints.length, 'unique');
    assert.deepEqual(
      builds.constraints.filter((constraint) => !/^[a-z0-9-]+==\d[a-z0-9.]*$/.test(constraint)),
      [],
    );
  });

  it('have the packages of each default library, in its version', () => {
    for (const { id, version, packages } of libraries.filter(({ packages }) => packages.length > 0)) {
      const found = packages.map((requirement) => versions.get(nameOf(requirement)));

      assert.ok(!found.includes(undefined), `${id}: ${packages.join(', ')}`);
      assert.ok(found[0]?.startsWith(`${version}.`), `${id} ${version}: ${found[0]}`);
    }
  });

  it('do not apply to a catalogue that requires other packages', () => {
    const ofFile = (tree: object) => withFile(JSON.stringify(tree), loadConfig).builds.constraints;
    const tested = {
      id: 'arrays',
      name: 'Arrays',
      version: '1',
      packages: ['numpy'],
      python_version: '3.11',
    };

    assert.deepEqual(ofFile({ libraries: [tested] }), builds.constraints);
    assert.deepEqual(ofFile({ libraries: [{ ...tested, packages: ['numpy<2'] }] }), []);
    assert.deepEqual(ofFile({ libraries: [{ ...tested, python_version: '3.12' }] }), []);
    assert.deepEqual(ofFile({ builds: { constraints: ['numpy<3'] } }), ['numpy<3']);
  });
});

describe('the constraints', () => {
  const refused = {
    'an option': '--index-url=https://example.org',
    'a file': '-r other.txt',
    'a package without versions': 'numpy',
    'two lines': 'numpy==2.4\n-r /etc/passwd',
  };
  for (const [what, constraint] of Object.entries(refused)) {
    it(`are rejected with ${what}`, () => {
      assert.throws(
        () => withFile(JSON.stringify({ builds: { constraints: [constraint] } }), loadConfig),
        /builds\.constraints\[0\]" must be a constraint of pip/,
      );
    });
  }
});

describe('the default libraries', () => {
  it('with packages depend on one that brings their interpreter', () => {
    const providers = libraries.filter(({ interpreter }) => interpreter);

    assert.deepEqual(
      providers.map(({ id, pythonVersion, packages }) => [id, pythonVersion, packages]),
      [['python311', '3.11', []]],
    );
    for (const { id, dependsOn, pythonVersion } of libraries.filter(({ interpreter }) => !interpreter)) {
      assert.ok(dependsOn.includes('python311') && pythonVersion === '3.11', id);
    }
  });
});
