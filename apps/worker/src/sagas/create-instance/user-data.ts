import {
  encodeUserData,
  type FirstBootPlan,
  firstBootData,
  type GpuPlan,
  hashPassword,
  type Layer,
  type ReportTarget,
} from '@gateway/cloud-init';
import { FIRST_BOOT_CALLBACK_PATH, interpreterArchives, resolveLibraries } from '@gateway/libraries';
import type { LibraryDefinition } from '@gateway/platform';
import { requireState } from '../../saga/index.ts';
import { firstBootSettings } from '../resources/first-boot-settings.ts';
import { readLayerShare } from '../resources/layer-share.ts';
import { reportTarget as reportTargetOf } from '../resources/report-target.ts';
import { UPPER_DEVICE } from '../resources/upper-device.ts';
import { type CreateStepContext, type CreationPlan, isLayered, ownUserDataOf } from './saga.ts';
import { accessOf, type LayeredShare, layeredShares } from './shares.ts';

/** Stands for a token where first-boot data is only checked. */
export const PLACEHOLDER_TOKEN = '-';

/**
 * The encoded first-boot data of the instance. It contains secrets (a share's key, the token of the reports),
 * so it is generated from the services' responses whenever it is needed, and never stored.
 */
export async function userDataOf(context: CreateStepContext, token: string): Promise<string> {
  const target = reportTarget(context);
  const password = adminPassOf(context);
  const plan: FirstBootPlan = {
    hostname: context.input.name,
    passwordHash: password === null ? null : await hashPassword(password),
    gpu: gpuOf(context, requireState(context, 'plan')),
    overlay: isLayered(context)
      ? {
          upperVolumeId: requireState(context, 'upperVolumeId'),
          upperDevice: UPPER_DEVICE,
          strategy: requireState(context, 'plan').strategy ?? 'prebuilt',
          constraints: constraintsOf(context, requireState(context, 'plan')),
          report: target === null ? null : { ...target, token },
          layers: await Promise.all((await layeredShares(context)).map((share) => layerOf(context, share))),
        }
      : null,
    userData: ownUserDataOf(context),
  };
  return encodeUserData(firstBootData(plan, firstBootSettings(context.config)), 'instance');
}

/** The target of the reports of instances with libraries; null if the gateway has no public URL. */
export function reportTarget({ config }: Pick<CreateStepContext, 'config'>): ReportTarget | null {
  const { url: publicUrl } = config.publicEndpoint;
  return publicUrl === null ? null : reportTargetOf(config, { publicUrl }, FIRST_BOOT_CALLBACK_PATH);
}

/** The token of a server that is about to be created; a placeholder for a server that reports nothing. */
export async function issueToken(context: CreateStepContext): Promise<string> {
  const isReporting = isLayered(context) && reportTarget(context) !== null;
  return isReporting ? context.firstBoot.open() : PLACEHOLDER_TOKEN;
}

/** The GPU setup of an instance with this plan; null without a GPU. */
export function gpuOf(
  { config }: Pick<CreateStepContext, 'config'>,
  { hasGpu }: Pick<CreationPlan, 'hasGpu'>,
): GpuPlan | null {
  return hasGpu ? { driverPackages: config.instances.gpuDriverPackages } : null;
}

/** The pip constraints of what the instance itself installs. */
export function constraintsOf(
  { config }: Pick<CreateStepContext, 'config'>,
  { strategy }: Pick<CreationPlan, 'strategy'>,
): string[] {
  return strategy === 'dynamic' ? config.builds.constraints : [];
}

export function adminPassOf({ input, sealer }: CreateStepContext): string | null {
  return input.sealedAdminPass === null ? null : sealer.open('adminPass', input.sealedAdminPass);
}

/** The contents of a share into which the instance installs all its libraries. */
export function installationOf(
  { config }: Pick<CreateStepContext, 'config'>,
  libraries: readonly LibraryDefinition[],
): Pick<Layer, 'packages' | 'interpreters'> {
  return {
    packages: libraries.flatMap(({ packages }) => packages),
    interpreters: interpreterArchives(libraries, config.builds),
  };
}

async function layerOf(context: CreateStepContext, share: LayeredShare): Promise<Layer> {
  const { accessTo } = accessOf(context, share);
  const libraries = resolveLibraries(context.config.libraries, share.libraryIds);
  return {
    libraryIds: share.libraryIds,
    ...(share.isDynamic ? installationOf(context, libraries) : { packages: [], interpreters: [] }),
    share: await readLayerShare(share.manager, { ...share, accessTo }),
    readOnly: !share.isDynamic,
  };
}
