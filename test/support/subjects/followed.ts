import type { StreamEndpoint, StreamInput } from '../../../packages/client/src/index.ts';
import { type GatewayClient, RECONNECT_DELAY_MS } from '../clients/gateway-client.ts';

/** An event of a job that creates a resource. */
interface Followed {
  step: string;
  resource_id: string | null;
  resource_type: string;
  error: string | null;
  code?: string;
  job_id: string;
}

/**
 * All events of such a job, read with the client for dashboards.
 * @param onEvent called for each event as it arrives
 */
export async function followed<Name extends StreamEndpoint>(
  client: GatewayClient,
  endpoint: Name,
  input: StreamInput<Name>,
  onEvent: (event: Followed) => Promise<void> = async () => {},
): Promise<Followed[]> {
  const seen: Followed[] = [];
  for await (const event of client.published.start(endpoint, {
    ...input,
    maxDelayMs: RECONNECT_DELAY_MS,
  })) {
    const message = event as unknown as Followed;
    seen.push(message);
    await onEvent(message);
  }
  return seen;
}
