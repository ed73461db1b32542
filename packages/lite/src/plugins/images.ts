import { minorOf } from '../k3s-release.ts';

/** The releases of cloud-provider-openstack, by the minor release of Kubernetes that they support. */
const providerReleases: ReadonlyMap<string, string> = new Map([
  ['1.34', 'v1.34.1'],
  ['1.35', 'v1.35.0'],
  ['1.36', 'v1.36.0'],
]);
const newestProvider = [...providerReleases.values()].at(-1) ?? '';

/** Whether there are plugins for a release of k3s. */
export function hasPluginImages(k3sVersion: string): boolean {
  return providerReleases.has(minorOf(k3sVersion) ?? '');
}

/**
 * The tag of the images of cloud-provider-openstack for a release of k3s. An unknown release gets the newest.
 */
export function providerRelease(k3sVersion: string): string {
  return providerReleases.get(minorOf(k3sVersion) ?? '') ?? newestProvider;
}

/** One of the images that k3s itself uses. */
export const busybox = 'docker.io/rancher/mirrored-library-busybox:1.37.0';
