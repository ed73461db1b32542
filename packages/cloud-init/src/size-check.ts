import { randomBytes } from 'node:crypto';
import { builderFirstBootData } from './builder/first-boot-data.ts';
import type { BuilderPlan } from './builder/plan.ts';
import { encodeUserData } from './encode-user-data.ts';
import { type FirstBootSettings, IMAGE_SETTINGS } from './first-boot-settings.ts';
import { firstBootData } from './instance/first-boot-data.ts';
import type { GpuPlan, Layer, OverlayPlan } from './instance/plan.ts';
import type { LayerShare } from './layer-share.ts';

/** The target of a machine's reports, before its token is known. */
export type ReportTarget = Omit<BuilderPlan['report'], 'token'>;

interface InstanceSizeOptions {
  constraints?: string[];
  /** The target of the instance's reports; null, the default, without reports. */
  report?: ReportTarget | null;
  settings?: FirstBootSettings;
  /** The user's own first-boot data; null, the default, for none. */
  userData?: string | null;
}

/**
 * Checks before a creation that the first-boot data of an instance with these layers will fit. Values that
 * the services provide later have longer placeholders that compress as badly.
 *
 * @param layers empty for a plain instance
 * @throws 400 if the first-boot data would be too long
 */
export function checkFirstBootSize(
  layers: readonly Pick<Layer, 'packages' | 'interpreters' | 'readOnly'>[],
  gpu: GpuPlan | null = null,
  { constraints = [], report = null, settings = IMAGE_SETTINGS, userData = null }: InstanceSizeOptions = {},
): void {
  encodeUserData(
    firstBootData(
      {
        hostname: 'h'.repeat(63),
        passwordHash: placeholder(106),
        gpu,
        overlay: layers.length === 0 ? null : overlayOf(layers, { constraints, report }),
        userData,
      },
      settings,
    ),
    'instance',
  );
}

/**
 * Checks the size of a builder's first-boot data, with placeholders for the share and the token.
 *
 * @throws 400 if the first-boot data would be too long
 */
export function checkBuilderSize(
  plan: Omit<BuilderPlan, 'hostname' | 'pythonVersion' | 'share' | 'report' | 'timeLimitSeconds'> & {
    report: ReportTarget;
  },
  settings = IMAGE_SETTINGS,
): void {
  encodeUserData(
    builderFirstBootData(
      {
        ...plan,
        hostname: 'h'.repeat(63),
        pythonVersion: '3.11.11',
        share: placeholderShare(),
        report: { ...plan.report, token: placeholder(128) },
        timeLimitSeconds: Number.MAX_SAFE_INTEGER,
      },
      settings,
    ),
    'builder',
  );
}

function overlayOf(
  layers: readonly Pick<Layer, 'packages' | 'interpreters' | 'readOnly'>[],
  { constraints, report }: { constraints: string[]; report: ReportTarget | null },
): OverlayPlan {
  return {
    upperVolumeId: placeholder(36),
    upperDevice: '/dev/vdb',
    strategy: 'prebuilt',
    constraints,
    report: report === null ? null : { ...report, token: placeholder(128) },
    layers: layers.map(({ packages, interpreters, readOnly }) => ({
      libraryIds: [],
      packages,
      interpreters,
      readOnly,
      share: placeholderShare(),
    })),
  };
}

function placeholderShare(): LayerShare {
  return {
    protocol: 'NATIVEFS',
    exportLocation: placeholder(255),
    accessTo: placeholder(64),
    accessKey: placeholder(64),
    fileSystem: placeholder(64),
  };
}

/** Text of this length that compresses as badly as a secret. */
export function placeholder(length: number): string {
  return randomBytes(length).toString('hex').slice(0, length);
}
