import { newUuid } from '../common/ids.ts';
import { ok, type Reply } from '../http/operation.ts';
import type { SharedFileSystemCall, SharedFileSystemCloud } from './cloud.ts';
import type { ExportLocation, Share } from './state.ts';

const CEPH_MONITORS = '192.0.2.11:6789,192.0.2.12:6789,192.0.2.13:6789';

/** The export locations of a new share: two for clients and one for administrators with NFS, else one. */
export function newExports(
  { settings }: SharedFileSystemCloud,
  protocol: string,
  shareId: string,
): ExportLocation[] {
  const configured = settings.exportPaths[protocol];
  if (configured !== undefined) return [location(configured)];
  if (protocol === 'CEPHFS') return [location(`${CEPH_MONITORS}:/volumes/_nogroup/${shareId}/${newUuid()}`)];
  if (protocol !== 'NFS') return [location(`\\\\192.0.2.20\\${shareId}`)];
  return [
    location(`127.0.0.1:/shares/${shareId}`, { preferred: false, adminOnly: true }),
    location(`192.0.2.21:/shares/${shareId}`, { preferred: false }),
    location(`192.0.2.20:/shares/${shareId}`),
  ];
}

function location(path: string, differences: Partial<ExportLocation> = {}): ExportLocation {
  return { id: newUuid(), path, preferred: true, adminOnly: false, ...differences };
}

/** Only administrators see the locations for administrators, and which ones these are. */
export function listExports({ caller }: SharedFileSystemCall, share: Share): Reply {
  const shown = share.exports.filter(({ adminOnly }) => caller.isAdmin || !adminOnly);
  const rows = share.status === 'creating' ? [] : shown;
  return ok({
    export_locations: rows.map(({ id, path, preferred, adminOnly }) => ({
      id,
      path,
      preferred,
      ...(caller.isAdmin ? { share_instance_id: share.id, is_admin_only: adminOnly } : {}),
    })),
  });
}
