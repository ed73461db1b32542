import type { BoundClient } from '@gateway/openstack';
import { record } from './recorder.ts';
import { recordPages, unknownId } from './scenario.ts';

export async function recordImages(mine: BoundClient): Promise<void> {
  const images = await record('image/images', () => mine.image.images.list());
  const first = images?.[0];
  if (first !== undefined) await record('image/image', () => mine.image.images.get(first.id));
  await record('image/image-not-found', () => mine.image.images.get(unknownId));
  await recordPages('image/images-page', (query) => mine.image.images.listPage(query), 2);
}
