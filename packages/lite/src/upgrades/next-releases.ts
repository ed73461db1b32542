import { invalidInput } from '@gateway/core';
import type { LiteConfig } from '@gateway/platform';
import type { LiteCluster } from '../cluster.ts';
import { compareReleases, isNextRelease } from '../k3s-release.ts';
import { hasPluginImages } from '../plugins/images.ts';

type UpgradedCluster = Pick<LiteCluster, 'k3sVersion' | 'upgrade'>;
type KnownReleases = Pick<LiteConfig['k3s'], 'version' | 'upgradeVersions'>;

/**
 * The releases of k3s that a cluster can be upgraded to, the oldest first: of the configured ones those that
 * the plugins support, newer than that of the cluster, and at most one minor release away. An upgrade that
 * was not completed can only be continued, or go further: some nodes have its release already.
 */
export function nextReleases(
  { k3sVersion, upgrade }: UpgradedCluster,
  { version, upgradeVersions }: KnownReleases,
): string[] {
  const oldest = upgrade?.version ?? '';
  return [...new Set([version, ...upgradeVersions])]
    .filter((known) => hasPluginImages(known) && isNextRelease(k3sVersion ?? '', known))
    .filter((known) => compareReleases(known, oldest) >= 0)
    .sort(compareReleases);
}

/**
 * The release of the cluster itself is possible, too: its nodes then get the registries of the configuration,
 * and its plugins the objects of this version of the gateway.
 *
 * @throws 400 with the possible releases if the cluster cannot be upgraded to this one
 */
export function requireRelease(cluster: UpgradedCluster, known: KnownReleases, version: string): void {
  const { k3sVersion, upgrade } = cluster;
  const isOwn = version === k3sVersion && (upgrade?.version ?? version) === version;
  if (isOwn && hasPluginImages(version)) return;
  const possible = nextReleases(cluster, known);
  if (possible.includes(version)) return;
  const choice =
    possible.length === 0
      ? 'There is no release that it can be upgraded to'
      : `The possible releases are ${possible.join(', ')}`;
  throw invalidInput(
    `The cluster has ${cluster.k3sVersion ?? 'an unknown release'} and cannot be upgraded to ${version}. ${choice}.`,
    {
      errors: [
        {
          field: 'body.version',
          message: possible.length === 0 ? choice : `must be ${possible.join(' or ')}`,
        },
      ],
    },
  );
}
