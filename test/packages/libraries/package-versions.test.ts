import assert from 'node:assert/strict';
import { packageMetadata, pinnedPackages, recordedPackages, reportedPackages } from '@gateway/libraries';

describe('the packages of a prebuilt library', () => {
  it('are recorded in share metadata under normalised names, sorted', () => {
    const packages = reportedPackages(['typing_extensions==4.12.2', 'Jinja2==3.1.4', 'zope.interface==7.0']);

    assert.deepEqual(packageMetadata(packages), {
      overlay_packages: 'jinja2==3.1.4,typing-extensions==4.12.2,zope-interface==7.0',
    });
  });

  it('continue in further keys at 1023 characters, and are read back completely', () => {
    const pinned = Array.from({ length: 300 }, (_, index) => `package-${1000 + index}==1.${index}+cu121`);
    const packages = reportedPackages(pinned);

    const metadata = packageMetadata(packages);

    const values = Object.values(metadata);
    assert.ok(values.length > 1 && values.every((value) => value.length <= 1023));
    assert.deepEqual(Object.keys(metadata).slice(0, 2), ['overlay_packages', 'overlay_packages_2']);
    assert.deepEqual(
      pinnedPackages(recordedPackages({ metadata: { ...metadata, overlay_type: 'x' } })),
      pinned,
    );
  });

  it('have no keys if empty, because the service rejects empty values', () => {
    assert.deepEqual(packageMetadata(reportedPackages([])), {});
    assert.equal(recordedPackages({ metadata: {} }).size, 0);
  });

  it('are read without items that no builder could have reported', () => {
    const overlay_packages = 'numpy==2.1,broken,-r==/etc/passwd,a b==1,c==1 ; x,d==';

    assert.deepEqual([...recordedPackages({ metadata: { overlay_packages } })], [['numpy', '2.1']]);
  });

  it("are rejected in two versions, whatever the name's spelling", () => {
    assert.throws(
      () => reportedPackages(['zope.interface==7.0', 'Zope_Interface==6.4']),
      /zope-interface in two versions, 7\.0 and 6\.4/,
    );
    assert.equal(reportedPackages(['zope.interface==7.0', 'Zope_Interface==7.0']).size, 1);
  });

  it('are rejected if too many for one request', () => {
    const pinned = Array.from({ length: 1000 }, (_, index) => `${'p'.repeat(100)}${index}==1`);

    assert.throws(() => reportedPackages(pinned), /too many packages/);
  });
});
