import assert from 'node:assert/strict';
import { GatewayError } from '@gateway/core';
import { requireCompatibleLibraries, resolveLibraries, validateLibraries } from '@gateway/libraries';
import { library, prebuiltShare } from './library.ts';

const python = { pythonVersion: '3.11', packages: ['numpy'] };
const catalogue = [
  library('python311', { pythonVersion: '3.11', interpreter: true }),
  library('python312', { pythonVersion: '3.12', interpreter: true }),
  library('arrays', { ...python, dependsOn: ['python311'] }),
  library('plots', { ...python, dependsOn: ['arrays'] }),
  library('homeless', python),
  library('any-python', { packages: ['six'] }),
  library('tools', { pythonVersion: '3.11' }),
  library('frames-1', { name: 'frames' }),
  library('frames-2', { name: 'frames', version: '2.0' }),
  library('ubuntu', { osVersions: ['ubuntu-22.04'] }),
  library('debian', { osVersions: ['debian-12'] }),
];

interface ErrorBody {
  detail: string;
  errors: { field: string; message: string }[];
}

/** The refusal of a creation with these libraries; null if they are compatible. */
function refusalOf(
  ids: string[],
  use: Parameters<typeof requireCompatibleLibraries>[1] = {},
): ErrorBody | null {
  try {
    requireCompatibleLibraries(resolveLibraries(catalogue, ids), use);
    return null;
  } catch (error) {
    assert.ok(error instanceof GatewayError && error.status === 400);
    return { detail: error.message, errors: error.errors ?? [] };
  }
}

/** The same number of packages with this version in the prebuilt shares of two libraries. */
function sharesWith(count: number) {
  const packages = (version: string) =>
    Array.from({ length: count }, (_, index) => `p${index}==${version}`).join(',');
  return new Map(
    ['frames-1', 'any-python'].map((id, index) => [
      id,
      prebuiltShare(id, { metadata: { overlay_packages: packages(String(index + 1)) } }),
    ]),
  );
}

describe('requireCompatibleLibraries', () => {
  const incompatible: Record<string, string[]> = {
    'different Python versions': ['arrays', 'python312'],
    'two versions of one library': ['frames-1', 'frames-2'],
    'systems that exclude each other': ['ubuntu', 'debian'],
    'packages without an interpreter': ['homeless', 'python311'],
  };
  for (const [what, ids] of Object.entries(incompatible)) {
    it(`refuses ${what} with the sentences of a validation`, () => {
      const { conflicts } = validateLibraries(catalogue, ids, { prebuilt: new Map() });

      const refusal = refusalOf(ids);

      assert.deepEqual(
        refusal?.errors,
        conflicts.map(({ message }) => ({ field: 'body.libraries', message })),
      );
      assert.equal(refusal?.detail, conflicts[0]?.message);
    });
  }

  it('refuses libraries that do not support the system of the image', () => {
    const [refusal, other] = ['rocky-9', 'debian-12'].map((osVersion) =>
      refusalOf(['debian'], { osVersion }),
    );

    assert.equal(refusal?.detail, 'debian runs on debian-12, not on rocky-9.');
    assert.equal(other, null);
  });

  it('accepts packages whose library depends on an interpreter, also indirectly', () => {
    assert.equal(refusalOf(['plots']), null);
  });

  it('accepts packages for any Python, and a library without packages', () => {
    assert.equal(refusalOf(['any-python', 'tools']), null);
  });

  it('refuses different packages only if all libraries are prebuilt', () => {
    const prebuilt = sharesWith(1);

    const refusal = refusalOf(['frames-1', 'any-python'], { prebuilt });

    const message =
      'The prebuilt libraries contain p0 in different versions: 1 in frames-1; 2 in any-python.';
    assert.deepEqual(refusal?.errors, [{ field: 'body.libraries', message }]);
    assert.match(refusal?.detail ?? '', /With the strategy "dynamic"/);
    assert.equal(refusalOf(['frames-1', 'any-python', 'tools'], { prebuilt }), null);
  });

  it('keeps the message short for many conflicts', () => {
    const refusal = refusalOf(['frames-1', 'any-python'], { prebuilt: sharesWith(200) });

    assert.ok((refusal?.detail.length ?? 0) < 500, refusal?.detail);
    assert.match(refusal?.detail ?? '', /There are 197 more conflicts\./);
    assert.equal(refusal?.errors.length, 50);
  });
});
