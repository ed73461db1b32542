import { type Identity, UpstreamError } from '@gateway/openstack';
import { CachedList, type ListSources } from '../lists/cached-list.ts';

interface DomainName {
  id: string;
  name: string;
}

/**
 * The names of all domains, as the gateway's own user reads them: a member of a project may not. Empty
 * without such a user, or if the user may not read them either.
 */
export const domainNameList = new CachedList<DomainName[]>({
  name: 'domainNames',
  varyBy: 'nothing',
  dependsOn: ['domain'],
  lifetime: 'namesSeconds',
  async load({ onIncomplete, serviceUser }) {
    try {
      const service = await serviceUser();
      const domains = (await service?.identity.domains.list()) ?? [];
      return domains.map(({ id, name }) => ({ id, name }));
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      if (error.upstreamStatus !== 403) onIncomplete();
      return [];
    }
  },
});

/**
 * The names of domains by their ids. The reader's token has those of the user and of the project. Others are
 * absent if the gateway cannot read them.
 */
export async function readDomainNames(
  sources: ListSources,
  reader: Identity,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const known = new Map([
    [reader.userDomainId, reader.userDomainName],
    [reader.projectDomainId, reader.projectDomainName],
  ]);
  if (ids.every((id) => known.has(id))) return known;
  const domains = await domainNameList.read(sources);
  return new Map([...domains.map(({ id, name }) => [id, name] as const), ...known]);
}
