import { buildProgress } from '@gateway/jobs';
import { buildSettings } from '@gateway/libraries';
import { refuseBuilt } from '@gateway/views';
import { definitionOf } from '../definition.ts';
import { checkBuilderUserData } from '../first-boot.ts';
import { findFlavorId, findImage, findNetworkId } from '../look-up.ts';
import { announce, type BuildPlan, defineBuildStep } from '../saga.ts';

/** Checks all that the build needs; nothing is made when something is missing. */
export const planBuild = defineBuildStep<{ plan: BuildPlan }>({
  name: 'plan',
  announce: announce('SHARE_CREATING', buildProgress.SHARE_CREATING, 'The request is being checked.'),
  async run(context) {
    const { config } = context;
    const library = definitionOf(context);
    const settings = buildSettings(config, library);
    const service = await context.service();
    // Another build may have ended since the request was taken.
    await refuseBuilt(service, library);
    const [image, flavorId, networkId] = await Promise.all([
      findImage(service, settings, library),
      findFlavorId(service, settings),
      findNetworkId(service, settings, await context.serviceProjectId()),
    ]);
    checkBuilderUserData(context);
    const plan: BuildPlan = {
      protocol: config.fileStorage.shareProto,
      imageId: image.id,
      flavorId,
      networkId,
      bootVolumeSizeGb: Math.max(config.builds.bootVolumeSizeGb, image.min_disk),
    };
    return { plan };
  },
});
