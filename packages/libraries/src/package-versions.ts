import { readList, writeList } from './metadata-list.ts';

/** Versions of Python packages by normalised name. */
type PackageVersions = ReadonlyMap<string, string>;

/**
 * A package with its version, as builders report it: `numpy==2.2.1`. It contains no
 * separator of a list or a file.
 */
export const PINNED_PACKAGE = /^([A-Za-z0-9][A-Za-z0-9._-]*)==([A-Za-z0-9.!+_-]+)$/;

/** The maximum number of packages in a library. The builder has the same limit. */
export const MAX_PACKAGES = 1_000;

const KEY = 'overlay_packages';
/** Limit of the shared file system service, in characters. */
const MAX_VALUE_LENGTH = 1023;
/** In characters. The service also limits the size of a request that sets metadata. */
const MAX_RECORD_LENGTH = 65_536;

/** The normalised name, as PEP 503 compares packages. */
export function normalisedName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]+/g, '-');
}

/**
 * The packages that a builder reports.
 *
 * @throws a sentence without its first capital and full stop, if they cannot be recorded
 */
export function reportedPackages(pinned: readonly string[]): PackageVersions {
  const versions = new Map<string, string>();
  for (const { name, version } of pinned.flatMap(parsePinned)) {
    const other = versions.get(name) ?? version;
    if (other !== version) throw new Error(`it contains ${name} in two versions, ${other} and ${version}`);
    versions.set(name, version);
  }
  if (pinnedPackages(versions).join(',').length > MAX_RECORD_LENGTH) {
    throw new Error('it contains too many packages to record them');
  }
  return versions;
}

/** The share metadata that records the packages of a prebuilt library: one list in any number of keys. */
export function packageMetadata(versions: PackageVersions): Record<string, string> {
  return writeList(KEY, pinnedPackages(versions), MAX_VALUE_LENGTH);
}

/** The recorded packages of a prebuilt share. Empty for a share without a record; ignores invalid items. */
export function recordedPackages({
  metadata,
}: {
  metadata: Readonly<Record<string, string>> | null;
}): PackageVersions {
  return new Map(
    readList(metadata ?? {}, KEY)
      .flatMap(parsePinned)
      .map(({ name, version }) => [name, version]),
  );
}

/** `numpy==2.2.1` for each package, sorted by name. Also the format of pip's constraints. */
export function pinnedPackages(versions: PackageVersions): string[] {
  return [...versions].map(([name, version]) => `${name}==${version}`).sort();
}

function parsePinned(pinned: string): { name: string; version: string }[] {
  const [, name, version] = PINNED_PACKAGE.exec(pinned) ?? [];
  return name === undefined || version === undefined ? [] : [{ name: normalisedName(name), version }];
}
