import { GatewayError, REQUEST_METADATA_KEY, toMilliseconds } from '@gateway/core';
import { isUnanswered, knownMarks } from '@gateway/openstack';
import type { ServiceName } from '@gateway/platform';
import type { RequestMark } from '../http/idempotency/request-mark.ts';
import type { RequestContext } from '../pipeline/request-context.ts';

interface Marked {
  id: string;
  status: string;
  created_at: string;
  metadata: Record<string, string> | null;
}

interface MarkedCreation<Created, Found extends Created & Marked> {
  service: ServiceName;
  /** Creates the resource with this metadata. */
  create: (metadata: Record<string, string>) => Promise<Created>;
  /** Lists the resources of the project that have the same name. */
  list: () => Promise<Found[]>;
}

/**
 * Creates a resource that carries the mark of the request. If the response of the service is lost, searches
 * for the resource. A request with an `Idempotency-Key` also searches first, because an earlier request may
 * have created the resource and lost the response. A resource that the service creates only after the search
 * is not found. See decision 22.
 */
export async function createOnce<Created, Found extends Created & Marked>(
  { logger, mark }: Pick<RequestContext, 'logger' | 'mark'>,
  { create, list, service }: MarkedCreation<Created, Found>,
): Promise<Created> {
  const find = async () => {
    const recent = (await list()).filter((record) => isOfThisTime(mark, record));
    const found = recent.find(({ metadata }) => hasMark(mark, metadata ?? {}));
    // One whose metadata are not known may be it.
    return found ?? recent.find((record) => hasMark(mark, knownMarks(service, record))) ?? null;
  };
  const earlier = mark.ofRepeats.length > 0 ? await find() : null;
  if (earlier !== null) return earlier;
  try {
    return await create({ [REQUEST_METADATA_KEY]: mark.value });
  } catch (error) {
    const created = isUnanswered(error) ? await find().catch(toNull) : null;
    if (created !== null) return created;
    throw error;
  }

  /** The error of the creation is the one to report. */
  function toNull(error: unknown): null {
    if (!(error instanceof GatewayError)) throw error;
    logger.warn('The result of a creation is unknown', { error });
    return null;
  }
}

function isOfThisTime(mark: RequestMark, { created_at, status }: Marked): boolean {
  if (/deleting$/.test(status)) return false;
  // The mark decides if the service does not say when.
  return (toMilliseconds(created_at) ?? mark.since) >= mark.since;
}

function hasMark(mark: RequestMark, metadata: Record<string, string>): boolean {
  const value = metadata[REQUEST_METADATA_KEY];
  return value === mark.value || mark.ofRepeats.some((mine) => mine === value);
}
