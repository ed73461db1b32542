import { notFound } from '@gateway/core';
import type { RequestContext } from '../../pipeline/request-context.ts';

/**
 * @throws 404 for an image of another project, also for one that the caller sees and an administrator could
 * delete; 409 for one that is protected or in use
 */
export async function deleteImage({
  caller,
  openstack,
  params,
}: RequestContext<{ image_id: string }>): Promise<void> {
  const { images } = openstack.image;
  const { owner } = await images.get(params.image_id);
  if (owner !== caller.identity.projectId) throw notFound('There is no such image of this project.');
  await images.remove(params.image_id);
}
