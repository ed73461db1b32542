import {
  type BuilderPlan,
  builderFirstBootData,
  checkBuilderSize,
  encodeUserData,
} from '@gateway/cloud-init';
import {
  BUILDER_CALLBACK_PATH,
  buildSettings,
  interpreterArchives,
  resolveLibraries,
} from '@gateway/libraries';
import { requireState } from '../../saga/index.ts';
import { definitionOf } from '../library-machines/definition.ts';
import { firstBootSettings } from '../resources/first-boot-settings.ts';
import { reportTarget } from '../resources/report-target.ts';
import { builderShare } from './access.ts';
import type { BuildLibraryContext, BuildStepContext } from './saga.ts';

/**
 * The builder's first-boot data, encoded. Contains the token and the share's key, so it must not be stored.
 */
export async function builderUserData(context: BuildStepContext, token: string): Promise<string> {
  const { report, ...known } = knownPlan(context, requireState(context, 'plan').constraints);
  const share = await builderShare(context);
  const plan = { ...known, share, report: { ...report, token } };
  return encodeUserData(builderFirstBootData(plan, firstBootSettings(context.config)), 'builder');
}

/** @throws 400 if the first-boot data of the library's builder would be too long */
export function checkBuilderUserData(context: BuildLibraryContext, constraints: string[]): void {
  checkBuilderSize(knownPlan(context, constraints), firstBootSettings(context.config));
}

type KnownPlan = Omit<BuilderPlan, 'share' | 'report'> & { report: Omit<BuilderPlan['report'], 'token'> };

/** The part of the builder's plan that is known before anything is created. */
function knownPlan(context: BuildLibraryContext, constraints: string[]): KnownPlan {
  const { config } = context;
  const library = definitionOf(context);
  const { id, version, pythonVersion, interpreter, packages } = library;
  const interpreters = interpreterArchives(resolveLibraries(config.libraries, [id]), config.builds);
  const settings = buildSettings(config, library);
  return {
    hostname: `build-${id}`,
    library: { id, version },
    pythonVersion: interpreters.length > 0 ? null : pythonVersion,
    interpreters,
    bringsInterpreter: interpreter,
    packages,
    constraints,
    commands: settings.commands,
    report: reportTarget(config, settings, BUILDER_CALLBACK_PATH),
    timeLimitSeconds: config.timeLimits.buildSeconds,
  };
}
