import type { Config } from './config.ts';

/** Problems of single sign-on with other settings. */
export function checkSso({
  http,
  ops,
  publicEndpoint,
  sso,
}: Pick<Config, 'http' | 'ops' | 'publicEndpoint' | 'sso'>): string[] {
  if (sso.providers.length === 0) return [];
  if (publicEndpoint.url === null) {
    return ['"public_endpoint.url" must be set if "sso.providers" is set: browsers return to it'];
  }
  const problems: string[] = [];
  if (sso.dashboards.length === 0 && !ops.enabled) {
    problems.push('"sso.dashboards" must name a page to which browsers return');
  }
  const allowed = [...http.corsOrigins, new URL(publicEndpoint.url).origin];
  sso.dashboards.forEach((dashboard, index) => {
    const { origin } = new URL(dashboard);
    if (allowed.includes(origin)) return;
    problems.push(`"sso.dashboards[${index}]" needs its origin ${origin} in "http.cors_origins"`);
  });
  return problems;
}
