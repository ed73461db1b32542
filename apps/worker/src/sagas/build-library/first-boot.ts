import { readFileSync } from 'node:fs';
import { builderFirstBootData, encodeUserData } from '@gateway/cloud-init';
import { buildSettings } from '@gateway/libraries';
import { builderShare } from './access.ts';
import { definitionOf } from './definition.ts';
import type { BuildStepContext } from './saga.ts';

/** Where builders report, below the api's public address. */
const CALLBACK_PATH = '/api/file-storage/builds/callback';

/** The builder's first-boot data, encoded. It holds the token, and the share's key: it is kept nowhere. */
export async function builderUserData(context: BuildStepContext, token: string): Promise<string> {
  const { config } = context;
  const library = definitionOf(context);
  const { commands, publicUrl } = buildSettings(config, library);
  const { publicCaFile } = config.http;
  return encodeUserData(
    builderFirstBootData({
      hostname: `build-${library.id}`,
      library: { id: library.id, version: library.version },
      pythonVersion: library.pythonVersion,
      packages: library.packages,
      commands,
      share: await builderShare(context),
      report: {
        url: `${publicUrl}${CALLBACK_PATH}`,
        token,
        caCertificate: publicCaFile === null ? null : readFileSync(publicCaFile, 'utf8'),
      },
      timeLimitSeconds: config.timeLimits.buildSeconds,
    }),
  );
}
