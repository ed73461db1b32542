import { type LookupAddress, promises } from 'node:dns';

/** Each server is asked twice, within the time of an attempt. */
const RESOLVER = { timeout: 2_000, maxTimeout: 2_000, tries: 2 };

/**
 * The addresses that a name has in DNS. The resolver of the system would take one of the few threads that a
 * process has for names, while the servers of a domain of some user do not answer: calls of the cloud wait.
 *
 * @param servers those of the system by default
 * @throws if it has none, or nobody says
 */
export async function resolveName(name: string, servers?: readonly string[]): Promise<LookupAddress[]> {
  const resolver = new promises.Resolver(RESOLVER);
  if (servers !== undefined) resolver.setServers(servers);
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const found = [...addressesOf(v4, 4), ...addressesOf(v6, 6)];
  if (found.length === 0) throw new Error(`The name ${name} has no address.`);
  return found;
}

/** A name may have addresses of one family only. */
function addressesOf(answer: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] {
  return answer.status === 'rejected' ? [] : answer.value.map((address) => ({ address, family }));
}
