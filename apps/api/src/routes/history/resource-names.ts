import { type HistoryEntry, historyResources, namesInEntry } from '@gateway/jobs';
import {
  imageList,
  instanceNames,
  loadBalancerList,
  namesFrom,
  networkNames,
  ownRouterNames,
  securityGroupNames,
  shareNames,
  subnetNames,
  volumeNames,
} from '@gateway/resources';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';

/** Where the names of ids are, by the words of the routes and types of jobs that name such ids. */
const SOURCES: readonly [word: string, source: typeof volumeNames][] = [
  ['instance', instanceNames],
  ['volume', volumeNames],
  ['network', networkNames],
  ['subnet', subnetNames],
  ['security-group', securityGroupNames],
  ['router', ownRouterNames],
  ['load-balancer', namesFrom(loadBalancerList)],
  ['file-storage', shareNames],
  ['images', namesFrom(imageList)],
];

/**
 * The names of the resources in these entries of a project's history, by id: as they are now, else as its
 * history has last named them. An entry does not say what kind of resource each id is, so each is searched in
 * all lists that its route suggests. Names of another project are only those of its history.
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
    for (const [id, name] of await currentNames(request, ids, entries)) names.set(id, name);
  }
  const unnamed = new Set([...ids].filter((id) => !names.has(id)));
  const marker = entries.at(-1)?.id;
  if (marker === undefined || unnamed.size === 0) return names;
  const earlier = await request.app.history.namesBefore({ projectId, readerId, marker }, unnamed);
  return new Map([...names, ...earlier]);
}

async function currentNames(
  request: RequestContext,
  ids: ReadonlySet<string>,
  entries: readonly HistoryEntry[],
): Promise<[id: string, name: string][]> {
  if (ids.size === 0) return [];
  const sources = sourcesOf(request);
  const about = entries.map(({ job, request: sent }) => `${sent?.route} ${job?.type}`).join(' ');
  const found = await Promise.all(
    SOURCES.filter(([word]) => about.includes(word)).map(([_word, source]) => source(sources, ids)),
  );
  return found.flatMap((names) => [...names]);
}
