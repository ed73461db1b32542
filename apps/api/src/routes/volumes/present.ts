import type { VolumeRecord } from '@gateway/openstack';
import { nameVolumes, presentVolume, type Volume } from '@gateway/resources';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';

/** A volume of the project with the names of its instances and its creator. */
export async function presentNamed(request: RequestContext, record: VolumeRecord): Promise<Volume> {
  const sources = sourcesOf(request);
  const volume = presentVolume(record, sources);
  await nameVolumes(sources, [volume]);
  return volume;
}
