import { badRequest, Refusal } from '../common/service-error.ts';

export interface Microversions {
  /** The service's name in `OpenStack-API-Version: <name> X.Y`. */
  name: string;
  /** The older header of its own. */
  header?: string;
  major: number;
  min: number;
  max: number;
}

/** The minor version asked for; the lowest when none is. Refuses with 400 what is no version, 406 what is beyond. */
export function negotiate(versions: Microversions, header: (name: string) => string | undefined): number {
  const asked = askedFor(versions, header);
  if (asked === undefined) return versions.min;
  if (asked === 'latest') return versions.max;
  const match = /^(\d+)\.(\d+)$/.exec(asked);
  if (match === null)
    throw badRequest(
      `API Version String ${asked} is of invalid format. Must be of format MajorNum.MinorNum.`,
    );
  const minor = Number(match[2]);
  if (Number(match[1]) === versions.major && minor >= versions.min && minor <= versions.max) return minor;
  const { major, min, max } = versions;
  throw new Refusal(
    406,
    `Version ${asked} is not supported by the API. Minimum is ${major}.${min} and maximum is ${major}.${max}.`,
  );
}

function askedFor(versions: Microversions, header: (name: string) => string | undefined): string | undefined {
  for (const entry of header('openstack-api-version')?.split(',') ?? []) {
    const [name, version] = entry.trim().split(/\s+/);
    if (name === versions.name) return version;
  }
  return versions.header === undefined ? undefined : header(versions.header);
}
