import { UpstreamError } from '../errors/index.ts';

/**
 * The service refuses changes to a load balancer while it carries out another one, and while another request of the
 * project holds the project's quota. The refused request had no effect, so it may be repeated.
 */
export function isLoadBalancerBusy(thrown: unknown): thrown is UpstreamError {
  if (!(thrown instanceof UpstreamError) || thrown.service !== 'loadBalancer') return false;
  const message = thrown.upstreamMessage ?? '';
  if (thrown.upstreamStatus === 409) {
    return message.endsWith(' is immutable and cannot be updated.') || message.startsWith('Invalid state ');
  }
  return thrown.upstreamStatus === 503 && message.startsWith('Project busy.');
}
