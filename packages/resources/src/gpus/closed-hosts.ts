import { type BoundClient, isTransient, type ProviderSummary, UpstreamError } from '@gateway/openstack';
import { isClosed } from '../hypervisors/is-closed.ts';

/** The compute service marks the provider of a disabled host with it. */
const DISABLED = 'COMPUTE_STATUS_DISABLED';

/**
 * The ids of hosts that take no instances: disabled, or down. Placement does not know of hosts that are down,
 * so the compute service is asked too. The ids of hosts and of their resource providers are the same.
 *
 * @param onIncomplete called if the compute service is unavailable
 */
export async function readClosedHosts(
  { compute }: Pick<BoundClient, 'compute'>,
  summaries: ReadonlyMap<string, ProviderSummary>,
  onIncomplete: () => void,
): Promise<Set<string>> {
  const closed = new Set<string>();
  for (const [id, { traits }] of summaries) if (traits?.includes(DISABLED)) closed.add(id);
  try {
    for (const host of await compute.hypervisors.list()) if (isClosed(host)) closed.add(host.id);
  } catch (error) {
    if (isTransient(error)) onIncomplete();
    else if (!(error instanceof UpstreamError)) throw error;
  }
  return closed;
}
