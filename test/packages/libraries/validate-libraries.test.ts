import assert from 'node:assert/strict';
import { type LibraryFinding, validateLibraries } from '@gateway/libraries';
import { library, prebuiltShare } from './library.ts';

const catalogue = [
  library('python311', { pythonVersion: '3.11', osVersions: ['ubuntu-22.04', 'debian-12'] }),
  library('python310', { pythonVersion: '3.10', osVersions: ['ubuntu-20.04'] }),
  library('arrays', { dependsOn: ['python311'] }),
  library('frames-1', { name: 'frames' }),
  library('frames-2', { name: 'frames', version: '2.0' }),
];
const prebuilt = new Map([['python311', prebuiltShare('python311')]]);

function codes(findings: LibraryFinding[]): [string, ...string[]][] {
  return findings.map(({ code, library_ids }) => [code, ...library_ids]);
}

describe('validateLibraries', () => {
  it('accepts compatible libraries, and warns of added and not prebuilt ones', () => {
    const result = validateLibraries(catalogue, ['arrays'], { prebuilt });

    assert.equal(result.valid, true);
    assert.deepEqual(result.conflicts, []);
    assert.deepEqual(codes(result.warnings), [
      ['dependency_added', 'python311'],
      ['not_prebuilt', 'arrays'],
    ]);
  });

  it('reports operating systems and Python versions that exclude each other', () => {
    const result = validateLibraries(catalogue, ['arrays', 'python310'], { prebuilt });

    assert.equal(result.valid, false);
    assert.deepEqual(codes(result.conflicts), [
      ['os_version', 'python311', 'python310'],
      ['python_version', 'python311', 'python310'],
    ]);
  });

  it('compares each library with the given operating system', () => {
    const wrong = validateLibraries(catalogue, ['arrays'], { osVersion: 'rocky-9', prebuilt });
    const right = validateLibraries(catalogue, ['arrays'], { osVersion: 'debian-12', prebuilt });

    assert.deepEqual(codes(wrong.conflicts), [['os_version', 'python311']]);
    assert.equal(right.valid, true);
  });

  it('reports two versions of one library', () => {
    const result = validateLibraries(catalogue, ['frames-1', 'frames-2'], { prebuilt });

    assert.deepEqual(codes(result.conflicts), [['library_version', 'frames-1', 'frames-2']]);
  });

  it('reports unknown ids as conflicts and still checks the other libraries', () => {
    const result = validateLibraries(catalogue, ['nope', 'arrays'], { prebuilt });

    assert.deepEqual(codes(result.conflicts), [['unknown_library', 'nope']]);
    assert.equal(result.warnings.length, 2);
  });

  describe('with prebuilt shares that contain a package in different versions', () => {
    const share = (id: string, overlay_packages: string): [string, ReturnType<typeof prebuiltShare>] => [
      id,
      prebuiltShare(id, { metadata: { overlay_packages } }),
    ];
    const python311 = share('python311', 'six==1.16');
    const arrays = share('arrays', 'numpy==2.1,Six==1.17');
    const message =
      'The prebuilt libraries contain six in different versions: 1.16 in python311; 1.17 in arrays.';

    it('reports a conflict, also with a dependency that was added', () => {
      const result = validateLibraries(catalogue, ['arrays'], { prebuilt: new Map([python311, arrays]) });

      assert.equal(result.valid, false);
      assert.deepEqual(result.conflicts, [
        { code: 'package_version', library_ids: ['python311', 'arrays'], message },
      ]);
    });

    it('only warns for a dynamic strategy, which installs all of them', () => {
      const result = validateLibraries(catalogue, ['arrays', 'frames-1'], {
        prebuilt: new Map([python311, arrays]),
      });

      assert.equal(result.valid, true);
      assert.deepEqual(
        result.warnings.find(({ code }) => code === 'package_version'),
        { code: 'package_version', library_ids: ['python311', 'arrays'], message },
      );
    });
  });
});
