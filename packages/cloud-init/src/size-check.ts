import { randomBytes } from 'node:crypto';
import { encodeUserData } from './encode.ts';
import { firstBootData } from './first-boot.ts';
import type { Layer } from './plan.ts';

/**
 * Finds out whether first-boot data of such layers will fit, before there is a share or a volume to put in
 * it: what only the services will tell is stood for by values longer than theirs, and as hard to compress.
 *
 * @throws 400 when it will not fit
 */
export function checkFirstBootSize(layers: readonly Pick<Layer, 'packages' | 'readOnly'>[]): void {
  if (layers.length === 0) return;
  encodeUserData(
    firstBootData({
      hostname: 'h'.repeat(63),
      passwordHash: filler(106),
      overlay: {
        upperVolumeId: filler(36),
        upperDevice: '/dev/vdb',
        strategy: 'prebuilt',
        layers: layers.map(({ packages, readOnly }) => ({
          libraryIds: [],
          packages,
          readOnly,
          share: {
            protocol: 'NATIVEFS',
            exportLocation: filler(255),
            accessTo: filler(64),
            accessKey: filler(64),
          },
        })),
      },
    }),
  );
}

function filler(length: number): string {
  return randomBytes(length).toString('hex').slice(0, length);
}
