import { encodeUserData, firstBootData, hashPassword, type Layer } from '@gateway/cloud-init';
import { resolveLibraries } from '@gateway/libraries';
import { type CreateStepContext, isLayered, need } from './saga.ts';
import { accessOf, type LayeredShare, layeredShares } from './shares.ts';

/** Device name that the upper volume is asked to appear under. */
export const UPPER_DEVICE = '/dev/vdb';

/**
 * The instance's first-boot data, encoded. It holds secrets (a share's key), so it is made from the services'
 * answers whenever it is needed and kept nowhere.
 */
export async function userDataOf(context: CreateStepContext): Promise<string> {
  const password = adminPassOf(context);
  const text = firstBootData({
    hostname: context.input.name,
    passwordHash: password === null ? null : hashPassword(password),
    overlay: isLayered(context)
      ? {
          upperVolumeId: need(context, 'upperVolumeId'),
          upperDevice: UPPER_DEVICE,
          strategy: need(context, 'plan').strategy ?? 'prebuilt',
          layers: await Promise.all((await layeredShares(context)).map((share) => layerOf(context, share))),
        }
      : null,
  });
  return encodeUserData(text);
}

export function adminPassOf({ input, sealer }: CreateStepContext): string | null {
  return input.sealedAdminPass === null ? null : sealer.open('adminPass', input.sealedAdminPass);
}

async function layerOf(context: CreateStepContext, share: LayeredShare): Promise<Layer> {
  const { accessTo } = accessOf(context, share);
  const [locations, rules] = await Promise.all([
    share.manager.sharedFileSystem.exportLocations.list(share.id),
    share.manager.sharedFileSystem.accessRules.list(share.id),
  ]);
  const location = locations.find(({ preferred }) => preferred) ?? locations[0];
  if (location === undefined) throw new Error(`Share ${share.id} has no export location.`);
  const isNative = share.protocol === 'NATIVEFS';
  const libraries = resolveLibraries(context.config.libraries, share.libraryIds);
  return {
    libraryIds: share.libraryIds,
    packages: share.isDynamic ? libraries.flatMap(({ packages }) => packages) : [],
    share: {
      protocol: share.protocol,
      exportLocation: location.path,
      accessTo: isNative ? accessTo : null,
      accessKey: isNative
        ? (rules.find(({ access_to }) => access_to === accessTo)?.access_key ?? null)
        : null,
    },
    readOnly: !share.isDynamic,
  };
}
