import { type BoundClient, isTransient, type ProviderSummary, UpstreamError } from '@gateway/openstack';
import { isClosed } from '../hypervisors/is-closed.ts';

/** The compute service marks the provider of a disabled host with it. */
const DISABLED = 'COMPUTE_STATUS_DISABLED';

/**
 * The ids of hosts that take no instances: disabled, down, or unknown to the compute service, such as those
 * of a cell that is down. Placement does not know of these, so the compute service is asked too. The ids of
 * hosts and of their resource providers are the same.
 *
 * @param onIncomplete called if the compute service is unavailable
 */
export async function readClosedHosts(
  { compute }: Pick<BoundClient, 'compute'>,
  hostIds: readonly string[],
  summaries: ReadonlyMap<string, ProviderSummary>,
  onIncomplete: () => void,
): Promise<Set<string>> {
  const closed = new Set<string>();
  for (const [id, { traits }] of summaries) if (traits?.includes(DISABLED)) closed.add(id);
  try {
    const hosts = await compute.hypervisors.list();
    const open = new Set(hosts.filter((host) => !isClosed(host)).map(({ id }) => id));
    for (const id of hostIds) if (!open.has(id)) closed.add(id);
  } catch (error) {
    if (isTransient(error)) onIncomplete();
    else if (!(error instanceof UpstreamError)) throw error;
  }
  return closed;
}
