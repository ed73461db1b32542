import { type BoundClient, waitForGone, waitForStatus } from '@gateway/openstack';
import { record } from './recorder.ts';
import { addCleanup, recordRequired, statusOf, unknownId, waitOptions } from './scenario.ts';

export async function recordShares(mine: BoundClient): Promise<void> {
  const { shares, accessRules, exportLocations, shareTypes, limits } = mine.sharedFileSystem;
  await record('shared-file-system/share-not-found', () => shares.get(unknownId));
  await record('shared-file-system/share-quota', () =>
    shares.create({ share_proto: 'NFS', size: 100_000, name: 'record-big' }),
  );
  await record('shared-file-system/share-types', () => shareTypes.list());
  const share = await recordRequired('shared-file-system/share-create', () =>
    shares.create({
      share_proto: 'CEPHFS',
      share_type: 'cephfs',
      size: 1,
      name: 'record-share',
      metadata: { purpose: 'fixtures' },
    }),
  );
  addCleanup('share', async () => {
    await shares.remove(share.id);
    await waitForGone(() => shares.get(share.id), statusOf, waitOptions('The share'));
  });
  await record('shared-file-system/share-busy', () =>
    accessRules.allow(share.id, {
      access_type: 'cephx',
      access_to: 'record-early',
      access_level: 'ro',
    }),
  );
  await waitForStatus(() => shares.get(share.id), statusOf, {
    ...waitOptions('The share'),
    targetStates: ['available'],
    failedStates: ['error'],
  });
  const rule = await recordRequired('shared-file-system/access-rule-allow', () =>
    accessRules.allow(share.id, {
      access_type: 'cephx',
      access_to: 'record-user',
      access_level: 'ro',
    }),
  );
  await waitForStatus(
    () => accessRules.get(rule.id),
    ({ state }) => state,
    { ...waitOptions('The access rule'), targetStates: ['active'], failedStates: ['error'] },
  );
  await record('shared-file-system/access-rules', () => accessRules.list(share.id));
  await record('shared-file-system/access-rule', () => accessRules.get(rule.id));
  await record('shared-file-system/access-rule-exists', () =>
    accessRules.allow(share.id, {
      access_type: 'cephx',
      access_to: 'record-user',
      access_level: 'ro',
    }),
  );
  await record('shared-file-system/access-rule-invalid', () =>
    accessRules.allow(share.id, {
      access_type: 'ip',
      access_to: 'not-an-address',
      access_level: 'ro',
    }),
  );
  await record('shared-file-system/export-locations', () => exportLocations.list(share.id));
  await record('shared-file-system/shares', () => shares.list());
  await record('shared-file-system/share-export-paths', () => shares.listExportPaths([share.id]));
  await record('shared-file-system/share', () => shares.get(share.id));
  await record('shared-file-system/limits', () => limits.get());
  await record('shared-file-system/access-rule-deny', () => accessRules.deny(share.id, rule.id));
}
