import { readFileSync } from 'node:fs';
import { type FirstBootSettings, urlHost } from '@gateway/cloud-init';
import type { Config } from '@gateway/platform';

/** These must never be reached through a proxy. */
const LOCAL_HOSTS = ['localhost', '127.0.0.1', '::1'];
/** The metadata service, which identifies a machine by its address. */
const METADATA_ADDRESS = '169.254.169.254';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\w+/=\s]+-----END CERTIFICATE-----/g;

/** The settings of every machine that the gateway creates. They may contain passwords. */
export function firstBootSettings({
  firstBoot,
  publicEndpoint,
}: Pick<Config, 'firstBoot' | 'publicEndpoint'>): FirstBootSettings {
  const { caFile, noProxy, aptSources, ...settings } = firstBoot;
  const certificates = caFile === null ? null : readFileSync(caFile, 'utf8').match(CERTIFICATE);
  const gateway = publicEndpoint.url === null ? [] : [urlHost(publicEndpoint.url)];
  return {
    ...settings,
    noProxy: [...LOCAL_HOSTS, METADATA_ADDRESS, ...gateway, ...noProxy],
    aptSources: aptSources.map(({ keyFile, ...source }) => ({
      ...source,
      key: `${readFileSync(keyFile, 'utf8').trim().replaceAll('\r', '')}\n`,
    })),
    certificates: (certificates ?? []).map((pem) => `${pem}\n`),
  };
}
