import type { ResourceName } from '@gateway/core';
import { type HistoryEntry, historyResources, namesInEntry, typesInEntry } from '@gateway/jobs';
import {
  imageLists,
  instanceNames,
  loadBalancerList,
  type NameSource,
  namesFrom,
  networkNames,
  routerNames,
  securityGroupNames,
  shareNames,
  subnetNames,
  volumeNames,
} from '@gateway/resources';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';

/** Where the names of resources are. The name of a key pair is its id. */
const SOURCES: Partial<Record<ResourceName, NameSource>> = {
  file_storage: shareNames.project,
  image: namesFrom(imageLists.project),
  instance: instanceNames.project,
  load_balancer: namesFrom(loadBalancerList),
  network: networkNames.project,
  router: routerNames.project,
  security_group: securityGroupNames,
  subnet: subnetNames.project,
  volume: volumeNames.project,
};

/**
 * The names of the resources in these entries of a project's history, by id: as they are now, else as its
 * history has last named them. Names of another project are only those of its history.
 */
export async function resourceNames(
  request: RequestContext,
  { projectId, readerId }: { projectId: string; readerId: string | undefined },
  entries: readonly HistoryEntry[],
): Promise<ReadonlyMap<string, string>> {
  const ids = new Set(entries.flatMap(historyResources));
  // Of two entries, the newer one comes first.
  const names = new Map(entries.toReversed().flatMap(namesInEntry));
  if (projectId === request.caller.identity.projectId) {
    for (const [id, name] of await currentNames(request, entries)) names.set(id, name);
  }
  const unnamed = new Set([...ids].filter((id) => !names.has(id)));
  const marker = entries.at(-1)?.id;
  if (marker === undefined || unnamed.size === 0) return names;
  const earlier = await request.app.history.namesBefore({ projectId, readerId, marker }, unnamed);
  return new Map([...names, ...earlier]);
}

async function currentNames(
  request: RequestContext,
  entries: readonly HistoryEntry[],
): Promise<[id: string, name: string][]> {
  const sources = sourcesOf(request);
  const idsByType = Map.groupBy(entries.flatMap(typesInEntry), ([_id, type]) => type);
  const found = await Promise.all(
    [...idsByType].map(async ([type, named]) => {
      const ids = new Set(named.map(([id]) => id));
      const names = await SOURCES[type as ResourceName]?.(sources, ids);
      return [...(names ?? [])].filter(([id]) => ids.has(id));
    }),
  );
  return found.flat();
}
