import type { ServiceName } from '@gateway/platform';
import type { CallContext } from './call.ts';
import { type Endpoints, versionRoots } from './catalog.ts';
import { MICROVERSIONS } from './microversions.ts';
import type { Transport } from './transport.ts';

/** A service that does not support the microversions of the gateway's requests. */
export interface UnsupportedMicroversion {
  service: ServiceName;
  /** The versions that the gateway needs, such as `2.79` or `2.8 to 2.46`. */
  needed: string;
  /** Those of the service, such as `2.1 to 2.65`. */
  offered: string;
}

/** A version in a service's document. Its texts are empty for a version without microversions. */
interface VersionDocument {
  version?: string;
  /** In place of `version`, in some services. */
  max_version?: string;
  min_version?: string;
}

interface Range {
  min: string;
  max: string;
}

/** Services send a list of versions with this status. */
const MULTIPLE_CHOICES = 300;

/**
 * Compares the services' own documents, which need no token, with what the gateway needs. A service whose
 * document cannot be read counts as supported.
 */
export async function findUnsupportedMicroversions(
  transport: Transport,
  endpoints: Endpoints,
  call: CallContext,
): Promise<UnsupportedMicroversion[]> {
  const checks = Object.entries(MICROVERSIONS).map(async ([name, { oldest, version }]) => {
    const service = name as ServiceName;
    const url = endpoints[service];
    const offered = url === undefined ? null : await readRange(transport, service, url, call);
    const needed = { min: oldest ?? version, max: version };
    if (offered === null || includes(offered, needed)) return [];
    return [{ service, needed: textOf(needed), offered: textOf(offered) }];
  });
  return (await Promise.all(checks)).flat();
}

async function readRange(
  transport: Transport,
  service: ServiceName,
  url: string,
  call: CallContext,
): Promise<Range | null> {
  for (const root of versionRoots(service, url)) {
    const range = await readDocument(transport, service, root, call).catch(() => null);
    if (range !== null) return range;
  }
  return null;
}

async function readDocument(
  transport: Transport,
  service: ServiceName,
  url: string,
  call: CallContext,
): Promise<Range | null> {
  const { body } = await transport.send(
    {
      service,
      operation: 'versions.get',
      method: 'GET',
      url,
      headers: { 'x-openstack-request-id': call.requestId },
      body: undefined,
      idempotent: true,
      isDelete: false,
      expectJson: true,
      isResult: ({ status }) => status === MULTIPLE_CHOICES,
    },
    { ...call, retry: 'none' },
  );
  const { version, versions } = body as { version?: VersionDocument; versions?: VersionDocument[] };
  const [major] = MICROVERSIONS[service]?.version.split('.') ?? [];
  const documents = [version, ...(Array.isArray(versions) ? versions : [])];
  const ranges = documents.map((document) => ({
    min: document?.min_version ?? '',
    max: document?.version || (document?.max_version ?? ''),
  }));
  return ranges.find(({ max, min }) => [min, max].every((text) => text.startsWith(`${major}.`))) ?? null;
}

function includes(offered: Range, needed: Range): boolean {
  return minorOf(offered.min) <= minorOf(needed.min) && minorOf(needed.max) <= minorOf(offered.max);
}

/** All versions of a service have the same major number. */
function minorOf(version: string): number {
  return Number(version.split('.')[1]);
}

function textOf({ max, min }: Range): string {
  return min === max ? max : `${min} to ${max}`;
}
