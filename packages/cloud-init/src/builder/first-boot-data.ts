import { hostName } from '../cloud-config.ts';
import { firstBootParts } from '../first-boot-parts.ts';
import { IMAGE_SETTINGS } from '../first-boot-settings.ts';
import { builderFiles } from './files.ts';
import type { BuilderPlan } from './plan.ts';

/**
 * The first-boot data (cloud-init user data) of a builder, as text for `encodeUserData`. Contains the share's
 * key and the token of the builder's reports.
 *
 * @throws 502 if the machine cannot mount the share
 */
export function builderFirstBootData(plan: BuilderPlan, settings = IMAGE_SETTINGS): string {
  return firstBootParts(hostName(plan.hostname), builderFiles(plan), settings);
}
