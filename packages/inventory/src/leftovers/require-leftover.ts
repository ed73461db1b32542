import { GatewayError } from '@gateway/core';
import type { InspectedLeftover } from './inspect-leftover.ts';

/**
 * @param force accepts a doubt
 * @throws 409 `not_a_leftover` for a resource that has or may have an owner,
 * `leftover_in_doubt` without `force`
 */
export function requireLeftover({ verdict }: InspectedLeftover, force: boolean): void {
  if (verdict.kind === 'owned') {
    throw new GatewayError(409, 'not_a_leftover', `The resource is not a leftover. ${verdict.reason}`);
  }
  if (verdict.doubt !== null && !force) {
    throw new GatewayError(
      409,
      'leftover_in_doubt',
      `The resource may not be a leftover. It is removed only with \`force\`. ${verdict.doubt}`,
    );
  }
}
