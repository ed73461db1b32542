import { type HistoryEntry, historyResources } from '@gateway/jobs';
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
} from '@gateway/views';
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
 * The names of the resources in these entries of the project's history, by id: as they are now, or as an
 * entry gives them. An entry does not say what kind of resource each id is, so each is searched in
 * all lists that its route suggests.
 */
export async function resourceNames(
  request: RequestContext,
  entries: readonly HistoryEntry[],
): Promise<ReadonlyMap<string, string>> {
  const sources = sourcesOf(request);
  const ids = new Set(entries.flatMap(historyResources));
  if (ids.size === 0) return new Map();
  const about = entries.map(({ job, request: sent }) => `${sent?.route} ${job?.type}`).join(' ');
  const found = await Promise.all(
    SOURCES.filter(([word]) => about.includes(word)).map(([_word, source]) => source(sources, ids)),
  );
  return new Map([...entries.flatMap(namesIn), ...found.flatMap((names) => [...names])]);
}

/** The names that an entry gives itself. */
function namesIn({ job, request }: HistoryEntry): [id: string, name: string][] {
  const names = Object.entries(request?.resourceNames ?? {});
  if (job?.resourceId != null && job.resourceName !== null) names.push([job.resourceId, job.resourceName]);
  if (!request?.route.startsWith('/api/keypairs')) return names;
  // The name of a key pair is its id.
  return [...names, ...request.resourceIds.map((id): [string, string] => [id, id])];
}
