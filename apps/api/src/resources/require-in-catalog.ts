import { serviceDisabled } from '@gateway/core';
import type { ServiceName } from '@gateway/platform';
import type { RequestContext } from '../pipeline/request-context.ts';

/**
 * An optional service that is switched on here may still be missing in the cloud, or in the caller's region.
 *
 * @throws 404 `service_disabled`, as for a service that is switched off
 */
export function requireInCatalog({ caller }: Pick<RequestContext, 'caller'>, service: ServiceName): void {
  if (caller.identity.endpoints[service] === undefined) {
    throw serviceDisabled('This cloud does not have the service.');
  }
}
