import { badRequest, ServiceError } from '../common/service-error.ts';

export interface Microversions {
  /** The service's name in `OpenStack-API-Version: <name> X.Y`. */
  name: string;
  /** An older header with the version alone. */
  header?: string;
  major: number;
  min: number;
  max: number;
}

/**
 * The requested minor version; the lowest version without a request.
 * @throws 400 when the text is not a version, 406 when the version is not supported
 */
export function negotiate(versions: Microversions, header: (name: string) => string | undefined): number {
  const requested = requestedVersion(versions, header);
  if (requested === undefined) return versions.min;
  if (requested === 'latest') return versions.max;
  const match = /^(\d+)\.(\d+)$/.exec(requested);
  if (match === null)
    throw badRequest(
      `API Version String ${requested} is of invalid format. Must be of format MajorNum.MinorNum.`,
    );
  const minor = Number(match[2]);
  if (Number(match[1]) === versions.major && minor >= versions.min && minor <= versions.max) return minor;
  const { major, min, max } = versions;
  throw new ServiceError(
    406,
    `Version ${requested} is not supported by the API. Minimum is ${major}.${min} and maximum is ${major}.${max}.`,
  );
}

function requestedVersion(
  versions: Microversions,
  header: (name: string) => string | undefined,
): string | undefined {
  for (const entry of header('openstack-api-version')?.split(',') ?? []) {
    const [name, version] = entry.trim().split(/\s+/);
    if (name === versions.name) return version;
  }
  return versions.header === undefined ? undefined : header(versions.header);
}
