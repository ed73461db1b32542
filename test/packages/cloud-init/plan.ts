import { type FirstBootPlan, firstBootData, type Layer, type OverlayPlan } from '@gateway/cloud-init';
import { parse } from 'yaml';

export const upperVolumeId = '0f9b2f6e-13a1-4b7e-9a77-3c2d1e5f6a7b';

export function nfsLayer(libraryId: string, facts: Partial<Layer> = {}): Layer {
  const share = { exportLocation: `10.0.0.1:/shares/${libraryId}`, accessTo: null, accessKey: null };
  return {
    libraryIds: [libraryId],
    packages: [],
    readOnly: true,
    share: { protocol: 'NFS', ...share },
    ...facts,
  };
}

export function cephLayer(libraryId: string, share: Partial<Layer['share']> = {}): Layer {
  return nfsLayer(libraryId, {
    share: {
      protocol: 'NATIVEFS',
      exportLocation: `10.0.0.1:6789,10.0.0.2:6789:/volumes/${libraryId}`,
      accessTo: `reader-${libraryId}`,
      accessKey: 'AQBn3gBrBs/6ORAAwmsbQcMrDhrHLg3gu9Zpfw==',
      ...share,
    },
  });
}

export function layered(layers: Layer[], overlay: Partial<OverlayPlan> = {}): FirstBootPlan {
  return {
    hostname: 'test',
    passwordHash: null,
    overlay: { upperVolumeId, upperDevice: '/dev/vdb', strategy: 'prebuilt', layers, ...overlay },
  };
}

export interface CloudConfig {
  hostname?: unknown;
  password?: unknown;
  ssh_pwauth?: unknown;
  write_files?: { path: unknown; permissions: unknown; content: string }[];
  runcmd?: unknown;
}

/** First-boot data as cloud-init reads it: by the rules of YAML 1.1. */
export function readBack(plan: FirstBootPlan): CloudConfig {
  return parse(firstBootData(plan), { version: '1.1' });
}

/** The files it puts in place, by path. */
export function filesOf(plan: FirstBootPlan): Map<string, string> {
  return new Map(readBack(plan).write_files?.map(({ path, content }) => [String(path), content]));
}

/** The value of a unit file's setting. */
export function setting(unit: string | undefined, name: string): string | undefined {
  return unit
    ?.split('\n')
    .find((line) => line.startsWith(`${name}=`))
    ?.slice(name.length + 1);
}
