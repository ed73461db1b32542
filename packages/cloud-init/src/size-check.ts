import { randomBytes } from 'node:crypto';
import { builderFirstBootData } from './builder/first-boot-data.ts';
import type { BuilderPlan } from './builder/plan.ts';
import { encodeUserData } from './encode.ts';
import { firstBootData } from './instance/first-boot-data.ts';
import type { GpuPlan, Layer, OverlayPlan } from './instance/plan.ts';
import type { LayerShare } from './layer-share.ts';

/**
 * Finds out whether first-boot data of such layers (none for a plain instance) will fit, before there is a share or
 * a volume to put in it: what only the services will tell is stood for by values longer than theirs, and as hard to compress.
 *
 * @throws 400 when it will not fit
 */
export function checkFirstBootSize(
  layers: readonly Pick<Layer, 'packages' | 'readOnly'>[],
  gpu: GpuPlan | null = null,
): void {
  encodeUserData(
    firstBootData({
      hostname: 'h'.repeat(63),
      passwordHash: filler(106),
      gpu,
      overlay: layers.length === 0 ? null : overlayOf(layers),
    }),
  );
}

/**
 * The same for a builder: what the catalogue and the configuration say is known, the share and the token are not.
 *
 * @throws 400 when it will not fit
 */
export function checkBuilderSize(
  plan: Pick<BuilderPlan, 'library' | 'packages' | 'commands'> & {
    report: Omit<BuilderPlan['report'], 'token'>;
  },
): void {
  encodeUserData(
    builderFirstBootData({
      ...plan,
      hostname: 'h'.repeat(63),
      pythonVersion: '3.11.11',
      share: longShare(),
      report: { ...plan.report, token: filler(128) },
      timeLimitSeconds: Number.MAX_SAFE_INTEGER,
    }),
  );
}

function overlayOf(layers: readonly Pick<Layer, 'packages' | 'readOnly'>[]): OverlayPlan {
  return {
    upperVolumeId: filler(36),
    upperDevice: '/dev/vdb',
    strategy: 'prebuilt',
    layers: layers.map(({ packages, readOnly }) => ({
      libraryIds: [],
      packages,
      readOnly,
      share: longShare(),
    })),
  };
}

function longShare(): LayerShare {
  return {
    protocol: 'NATIVEFS',
    exportLocation: filler(255),
    accessTo: filler(64),
    accessKey: filler(64),
  };
}

function filler(length: number): string {
  return randomBytes(length).toString('hex').slice(0, length);
}
