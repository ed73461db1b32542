import { invalidInput } from '@gateway/core';
import { nullIfNotFound } from '@gateway/openstack';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { getVisibleSubnet } from '../../resources/visible-network.ts';

/**
 * A subnet named in the body must be one that members of the project may use. The service accepts any subnet
 * from an administrator, and answers 400 for a missing one.
 *
 * @throws 400
 */
export async function requireVisibleSubnet(
  request: RequestContext,
  field: string,
  id: string,
): Promise<void> {
  if ((await nullIfNotFound(getVisibleSubnet(request, id))) !== null) return;
  throw invalidInput('There is no such subnet in this project.', {
    errors: [{ field: `body.${field}`, message: 'is not a subnet of this project' }],
  });
}
