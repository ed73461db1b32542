import type { Config } from './config.ts';

/** Problems of sister gateways that a dashboard could not distinguish from each other, or from this one. */
export function checkSisters({ site, publicEndpoint }: Pick<Config, 'site' | 'publicEndpoint'>): string[] {
  const urls = site.sisters.map(({ url }) => new URL(url).href);
  const own = publicEndpoint.url === null ? null : new URL(publicEndpoint.url).href;
  return urls.flatMap((url, index) => {
    const label = `"site.sisters[${index}].url"`;
    if (url === own) return [`${label} must not be "public_endpoint.url", the URL of this gateway itself`];
    const first = urls.indexOf(url);
    return first < index ? [`${label} must not be that of "site.sisters[${first}]"`] : [];
  });
}
