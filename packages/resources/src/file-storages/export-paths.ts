import {
  type BoundClient,
  type ExportLocationRecord,
  nullIfNotFound,
  type ShareQuery,
  type ShareRecord,
} from '@gateway/openstack';

/** Enough for the storage systems of one project. */
const MAX_SAMPLES = 10;

/** The paths that machines can mount, in order of preference. */
export function mountablePaths(locations: readonly ExportLocationRecord[]): string[] {
  return locations
    .filter(({ is_admin_only }) => !is_admin_only)
    .toSorted((a, b) => Number(b.preferred) - Number(a.preferred))
    .map(({ path }) => path);
}

/**
 * The export locations of all listed shares, by share id. The number of calls does not grow with the list.
 * From microversion 2.9 on, only the resource of each share has them. The list of 2.8 has the paths,
 * without preference and visibility. These depend on the storage hosts, so the export locations of one
 * share of each set of hosts are read. If shares on the same hosts have different preferences, their order
 * can differ from that of the detail.
 *
 * @param query the query that has listed the shares
 */
export async function readExportPaths(
  { sharedFileSystem }: BoundClient,
  shares: readonly ShareRecord[],
  query?: ShareQuery,
): Promise<Map<string, string[]>> {
  if (shares.length === 0) return new Map();
  const listed = await sharedFileSystem.shares.listExportPaths(
    shares.map(({ id }) => id),
    query,
  );
  const rows = shares.map(({ id }) => ({ id, paths: listed.get(id) ?? [] }));
  const samples = Map.groupBy(
    rows.filter(({ paths }) => paths.length > 1),
    ({ paths }) => hostsOf(paths),
  );
  const asked = [...samples].slice(0, MAX_SAMPLES).map(async ([hosts, [sample]]) => {
    // Null if the share has been deleted meanwhile.
    const locations = await nullIfNotFound(sharedFileSystem.exportLocations.list(sample?.id ?? ''));
    return [hosts, mountablePaths(locations ?? []).map(hostOf)] as const;
  });
  const mountable = new Map(await Promise.all(asked));
  return new Map(rows.map(({ id, paths }) => [id, order(paths, mountable.get(hostsOf(paths)) ?? [])]));
}

/** The paths in the order of these hosts; all paths if no host is known. */
function order(paths: readonly string[], hosts: readonly string[]): string[] {
  if (hosts.length === 0) return [...paths];
  const rank = (path: string) => hosts.indexOf(hostOf(path));
  return paths.filter((path) => rank(path) >= 0).toSorted((a, b) => rank(a) - rank(b));
}

function hostsOf(paths: readonly string[]): string {
  return paths.map(hostOf).toSorted().join(' ');
}

/** `192.0.2.20:` of `192.0.2.20:/shares/1`, and `\\192.0.2.20` of `\\192.0.2.20\share`. */
function hostOf(path: string): string {
  return path.startsWith('\\\\') ? path.split('\\', 3).join('\\') : (path.split('/', 1)[0] ?? '');
}
