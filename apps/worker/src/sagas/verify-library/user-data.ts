import { encodeUserData, type Layer, verifierFirstBootData } from '@gateway/cloud-init';
import {
  buildSettings,
  interpreterArchives,
  resolveLibraries,
  VERIFIER_CALLBACK_PATH,
} from '@gateway/libraries';
import { requireState } from '../../saga/index.ts';
import { definitionOf } from '../library-machines/definition.ts';
import { firstBootSettings } from '../resources/first-boot-settings.ts';
import { readLayerShare } from '../resources/layer-share.ts';
import { reportTarget } from '../resources/report-target.ts';
import type { MountedShare } from '../resources/share-access-step.ts';
import { UPPER_DEVICE } from '../resources/upper-device.ts';
import { identityFor, mountedShares } from './layers.ts';
import type { VerifyStepContext } from './saga.ts';

/**
 * The verifier's first-boot data, encoded. Contains the token and the shares' keys, so it must not be stored.
 */
export async function verifierUserData(context: VerifyStepContext, token: string): Promise<string> {
  const { config } = context;
  const library = definitionOf(context);
  const libraries = resolveLibraries(config.libraries, [library.id]);
  const [interpreter] = interpreterArchives(libraries, config.builds);
  const shares = await mountedShares(context);
  const data = verifierFirstBootData(
    {
      hostname: `verify-${library.id}`,
      workspace: {
        upperVolumeId: requireState(context, 'upperVolumeId'),
        upperDevice: UPPER_DEVICE,
        layers: await Promise.all(shares.map((share) => layerOf(context, share))),
      },
      pythonVersion: interpreter?.version ?? null,
      imports: requireState(context, 'plan').packages.map(({ name }) => name),
      report: { ...reportTarget(config, buildSettings(config, library), VERIFIER_CALLBACK_PATH), token },
      timeLimitSeconds: config.timeLimits.buildSeconds,
    },
    firstBootSettings(config),
  );
  return encodeUserData(data, 'verifier');
}

async function layerOf(context: VerifyStepContext, share: MountedShare): Promise<Layer> {
  const { accessTo } = identityFor(context, share);
  return {
    libraryIds: share.libraryIds,
    packages: [],
    interpreters: [],
    share: await readLayerShare(share.manager, { ...share, accessTo }),
    readOnly: true,
  };
}
