import { singular } from '../src/catalog/nouns.ts';

/**
 * Paths whose segments do not give a good name, and the segments that replace them. All other names follow
 * from the path: `/api/loadbalancers/{lb_id}/pools` becomes `loadbalancer-pools`.
 */
const RENAMED: [path: string, segments: string][] = [
  ['auth/projects', 'projects'],
  ['auth', ''],
  ['networks/floating-ips', 'floating-ips'],
  ['networks/subnets', 'subnets'],
  ['networks/{network_id}/subnets', 'subnets/{network_id}'],
  ['volumes/backups/auto-backup/configs', 'auto-backups'],
  ['volumes/backups/auto-backup', 'auto-backups'],
  ['volumes/transfer', 'volume-transfers'],
  ['admin/roles/assign-group', 'admin-group-role-assignments'],
  ['admin/roles/assign', 'admin-role-assignments'],
  ['admin/gpu-quotas/defaults', 'admin-gpu-quota-defaults'],
];

export function isParameter(segment: string): boolean {
  return segment.startsWith('{');
}

/** The segments of a path below `/api`, as names need them. */
export function namedSegments(path: string): string[] {
  const below = path.replace(/^\/api\//, '');
  const [from, to] = RENAMED.find(([prefix]) => below === prefix || below.startsWith(`${prefix}/`)) ?? [
    '',
    '',
  ];
  return `${to}${below.slice(from.length)}`.split('/').filter((segment) => segment !== '');
}

/** `['instances', '{instance_id}', 'volumes']` becomes `instance-volumes`. */
export function pluralNoun(segments: readonly string[]): string {
  const words = segments.filter((segment) => !isParameter(segment));
  return [...words.slice(0, -1).map(singular), words.at(-1) ?? ''].join('-').replace(/[^\w-]/g, '-');
}
