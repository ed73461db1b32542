import assert from 'node:assert/strict';
import { GatewayError } from '@gateway/core';
import { buildConstraints, packageConflicts } from '@gateway/libraries';
import type { Config, LibraryDefinition } from '@gateway/platform';
import { library, prebuiltShare } from './library.ts';

const runtime = library('runtime');
const arrays = library('arrays', { dependsOn: ['runtime'] });
const plots = library('plots', { dependsOn: ['runtime'] });
const suite = library('suite', { dependsOn: ['arrays', 'plots'] });
const catalogue = [runtime, arrays, plots, suite];

/** A configuration with this catalogue. */
function config(libraries: LibraryDefinition[] = catalogue, constraints: string[] = []) {
  return { libraries, builds: { constraints } as Config['builds'] };
}

/** Prebuilt shares with these recorded packages. */
function shares(packages: Record<string, string>) {
  return new Map(
    Object.entries(packages).map(([id, list]) => [
      id,
      prebuiltShare(id, { metadata: list === '' ? {} : { overlay_packages: list } }),
    ]),
  );
}

const matching = shares({ runtime: 'wheel==0.45', arrays: 'numpy==2.1,wheel==0.45', plots: 'numpy==2.1' });
const different = shares({
  runtime: 'wheel==0.45',
  arrays: 'numpy==2.1,six==1.16',
  plots: 'NumPy==2.2,six==1.17',
});

describe('packageConflicts', () => {
  it('is empty if the libraries contain each package in one version', () => {
    assert.deepEqual(packageConflicts(catalogue, matching), []);
  });

  it('names package, versions and libraries of differences, in any spelling', () => {
    assert.deepEqual(packageConflicts([runtime, arrays, plots], different), [
      {
        packageName: 'numpy',
        libraryIds: ['arrays', 'plots'],
        message: 'The prebuilt libraries contain numpy in different versions: 2.1 in arrays; 2.2 in plots.',
      },
      {
        packageName: 'six',
        libraryIds: ['arrays', 'plots'],
        message: 'The prebuilt libraries contain six in different versions: 1.16 in arrays; 1.17 in plots.',
      },
    ]);
  });

  it('ignores libraries without a prebuilt share, and shares without a record', () => {
    const partial = shares({ runtime: 'numpy==1.0', plots: '' });

    assert.deepEqual(packageConflicts([runtime, arrays, plots], partial), []);
  });
});

describe('buildConstraints', () => {
  it('is empty for a library without dependencies', () => {
    assert.deepEqual(buildConstraints(config(), runtime, new Map()), []);
  });

  it('contains the packages of direct and indirect dependencies once', () => {
    assert.deepEqual(buildConstraints(config(), suite, matching), ['numpy==2.1', 'wheel==0.45']);
  });

  it('prefers the packages of the dependencies to configured constraints', () => {
    const configured = ['NumPy==2.2', 'pandas<4', 'wheel'];

    assert.deepEqual(buildConstraints(config(catalogue, configured), arrays, matching), [
      'wheel==0.45',
      'NumPy==2.2',
      'pandas<4',
    ]);
  });

  it('refuses dependencies without a prebuilt share with 409, and names them', () => {
    assert.throws(
      () => buildConstraints(config(), suite, shares({ plots: '' })),
      (error) =>
        error instanceof GatewayError &&
        error.status === 409 &&
        error.code === 'dependency_not_prebuilt' &&
        /Please build them first: runtime, arrays\.$/.test(error.message),
    );
  });

  it('refuses dependencies that contain a package in different versions with 409', () => {
    assert.throws(
      () => buildConstraints(config(), suite, different),
      (error) =>
        error instanceof GatewayError &&
        error.status === 409 &&
        /numpy in different versions: 2\.1 in arrays; 2\.2 in plots\./.test(error.message),
    );
  });

  it('refuses a library that is not compatible with its dependencies with 400', () => {
    const packages = library('packages', {
      packages: ['numpy'],
      pythonVersion: '3.11',
      dependsOn: ['arrays'],
    });

    assert.throws(
      () => buildConstraints(config([...catalogue, packages]), packages, matching),
      (error) =>
        error instanceof GatewayError &&
        error.status === 400 &&
        /^packages requires Python 3\.11, and no library that it depends on brings/.test(error.message),
    );
  });

  it('has no constraints from shares without a record', () => {
    assert.deepEqual(buildConstraints(config(), arrays, shares({ runtime: '' })), []);
  });
});
