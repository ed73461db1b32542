/** A release of k3s in comparable parts: those of Kubernetes, and the build of k3s. */
type Release = [major: number, minor: number, patch: number, build: number];

const RELEASE = /^v(\d+)\.(\d+)\.(\d+)\+k3s(\d+)$/;

/** Whether a text names a release of k3s, such as `v1.36.1+k3s1`. */
export function isK3sRelease(version: string | null): version is string {
  return parse(version) !== null;
}

/** Such as `1.36`; null for a text that names no release. */
export function minorOf(version: string): string | null {
  const release = parse(version);
  return release && `${release[0]}.${release[1]}`;
}

/** Orders releases from the oldest to the newest. Texts that name none come first. */
export function compareReleases(a: string, b: string): number {
  const [one, other] = [parse(a) ?? [], parse(b) ?? []];
  const part = [0, 1, 2, 3].find((index) => one[index] !== other[index]);
  return part === undefined ? 0 : (one[part] ?? -1) - (other[part] ?? -1);
}

/**
 * Whether a cluster can go from one release to another: never back, and one minor release at a time, because
 * Kubernetes supports no larger step of its API server.
 */
export function isNextRelease(from: string, to: string): boolean {
  const [before, after] = [parse(from), parse(to)];
  if (before === null || after === null || compareReleases(from, to) >= 0) return false;
  return after[0] === before[0] && after[1] - before[1] <= 1;
}

function parse(version: string | null): Release | null {
  const parts = RELEASE.exec(version ?? '')
    ?.slice(1)
    .map(Number);
  return parts === undefined ? null : (parts as Release);
}
