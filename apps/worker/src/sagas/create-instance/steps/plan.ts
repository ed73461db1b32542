import { checkFirstBootSize } from '@gateway/cloud-init';
import { invalidInput } from '@gateway/core';
import { countGpus } from '@gateway/inventory';
import { requireCompatibleLibraries } from '@gateway/libraries';
import type { LibraryDefinition } from '@gateway/platform';
import {
  checkAdditionalVolumes,
  checkQuotas,
  foundAtRequest,
  instanceQuotaDemand,
  planFloatingIp,
  readForInstance,
  readQuotas,
} from '@gateway/resources';
import { firstBootSettings } from '../../resources/first-boot-settings.ts';
import { requirePortMarks } from '../../resources/port-marks.ts';
import { reserveGpus } from '../../resources/reserve-gpus.ts';
import { planOverlay } from '../plan-overlay.ts';
import {
  announce,
  type CreateStepContext,
  type CreationPlan,
  defineCreateStep,
  ownUserDataOf,
} from '../saga.ts';
import { constraintsOf, gpuOf, installationOf, reportTarget } from '../user-data.ts';

/** Checks everything that the request names, and the quotas, before anything is created. */
export const planCreation = defineCreateStep<{ plan: CreationPlan }>({
  name: 'plan',
  // The first event names the step after the checks, and is sent before the checks, which take a second or
  // two.
  beginUpdate({ input }) {
    const step = input.libraryIds.length > 0 ? 'FILESHARE_PREPARING' : 'BOOT_VOLUME_CREATING';
    return announce(step, 'The request is being checked.');
  },
  async run(context) {
    const { libraryIds, strategy } = context.input;
    const mayMakeShare = libraryIds.length > 0 && strategy !== 'prebuilt';
    const known = foundAtRequest(context.input);
    const reading = known ? Promise.resolve(known) : readForInstance(context);
    const [found, external, { overlay, libraries, prebuilt }, quotas] = await Promise.all([
      reading,
      reading.then((read) => planFloatingIp(context, read)),
      planOverlay(context),
      known?.areQuotasChecked ? {} : readQuotas(context.owner(), context.projectId, mayMakeShare),
      checkAdditionalVolumes(context),
    ]);
    const plan: CreationPlan = {
      bootVolumeSizeGb: found.bootVolumeSizeGb,
      hasGpu: countGpus(found.flavor) > 0,
      volumeZone: found.volumeZone,
      networkId: found.networkId,
      ...external,
      ...(found.nics.length > 0 && { nics: found.nics }),
      ...overlay,
      needsPort: protocolsOf(context, overlay).includes('NFS'),
    };
    requireOwnPort(plan);
    if (plan.needsPort) await requirePortMarks(context.owner());
    requireCompatibleLibraries(libraries, { osVersion: found.osVersion ?? undefined, prebuilt });
    const hasFloatingIp = plan.externalNetworkId !== null;
    checkQuotas(quotas, instanceQuotaDemand(context, { ...found, ...overlay, hasFloatingIp }));
    checkFirstBootSize(layersOf(context, plan, libraries), gpuOf(context, plan), {
      constraints: constraintsOf(context, plan),
      report: reportTarget(context),
      settings: firstBootSettings(context.config),
      userData: ownUserDataOf(context),
    });
    // Last, because the reservation lasts until the end of the job.
    await reserveGpus(context, [{ flavor: found.flavor, count: 1 }]);
    return { plan };
  },
});

/**
 * Shares of NFS grant access to the address of a port, which the gateway creates and deletes after the rules.
 */
function requireOwnPort({ needsPort, nics = [] }: CreationPlan): void {
  if (!needsPort || (nics[0]?.portId ?? null) === null) return;
  throw invalidInput('The libraries are on NFS shares, which grant access to a new port of the instance.', {
    errors: [{ field: 'body.networks', message: 'must begin with a network_id for these libraries' }],
  });
}

/** The layers for an estimate of the length of the first-boot data, before shares exist. */
function layersOf(
  context: CreateStepContext,
  { strategy, prebuiltShares }: CreationPlan,
  libraries: readonly LibraryDefinition[],
) {
  if (strategy !== 'dynamic')
    return prebuiltShares.map(() => ({ packages: [], interpreters: [], readOnly: true }));
  return [{ ...installationOf(context, libraries), readOnly: false }];
}

function protocolsOf(
  { config }: CreateStepContext,
  { strategy, prebuiltShares }: Pick<CreationPlan, 'strategy' | 'prebuiltShares'>,
): string[] {
  if (strategy === 'dynamic') return [config.fileStorage.shareProto];
  return prebuiltShares.map(({ protocol }) => protocol);
}
