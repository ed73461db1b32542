import { notFound } from '@gateway/core';
import { type Image, nameImages, presentImage } from '@gateway/resources';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { requireDispensableImage } from '../../resources/configured.ts';

type ImageRequest = RequestContext<{ image_id: string }>;

/** Any image that the service shows the caller, also a hidden one. */
export async function getImage(request: ImageRequest): Promise<Image> {
  const image = presentImage(await request.openstack.image.images.get(request.params.image_id));
  const [named = image] = await nameImages(sourcesOf(request), [image]);
  return named;
}

/**
 * @throws 404 for an image of another project, also for one that the caller sees and an administrator could
 * delete; 409 for one that is protected, in use, or named by the configuration
 */
export async function deleteImage(request: ImageRequest): Promise<void> {
  const { caller, openstack, params } = request;
  const { images } = openstack.image;
  const image = await images.get(params.image_id);
  if (image.owner !== caller.identity.projectId) throw notFound('There is no such image in this project.');
  await requireDispensableImage(request, image);
  await images.remove(params.image_id);
}
