import { UpstreamError } from '../errors/index.ts';

/**
 * The service rejects a change of a load balancer while another change is in progress, and while another
 * request locks the project's quota. The rejected request had no effect, so it may be repeated.
 */
export function isLoadBalancerBusy(thrown: unknown): thrown is UpstreamError {
  if (!(thrown instanceof UpstreamError) || thrown.service !== 'loadBalancer') return false;
  const message = thrown.upstreamMessage ?? '';
  if (thrown.upstreamStatus === 409) {
    return message.endsWith(' is immutable and cannot be updated.') || message.startsWith('Invalid state ');
  }
  return thrown.upstreamStatus === 503 && message.startsWith('Project busy.');
}
