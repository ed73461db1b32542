import { readFileSync } from 'node:fs';
import type { ReportTarget } from '@gateway/cloud-init';
import { trimEndChars } from '@gateway/core';
import type { BuildSettings } from '@gateway/libraries';
import type { Config } from '@gateway/platform';

/** The target of a machine's reports, without its token. */
export function reportTarget(
  { publicEndpoint: { caFile } }: Pick<Config, 'publicEndpoint'>,
  { publicUrl }: Pick<BuildSettings, 'publicUrl'>,
  path: string,
): ReportTarget {
  return {
    url: `${trimEndChars(publicUrl, '/')}${path}`,
    caCertificate: caFile === null ? null : readFileSync(caFile, 'utf8'),
  };
}
