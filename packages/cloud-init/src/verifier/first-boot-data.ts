import { hostName } from '../cloud-config.ts';
import { firstBootParts } from '../first-boot-parts.ts';
import { IMAGE_SETTINGS } from '../first-boot-settings.ts';
import { verifierFiles } from './files.ts';
import type { VerifierPlan } from './plan.ts';

/**
 * The first-boot data (cloud-init user data) of a verifier, as text for `encodeUserData`. Contains the keys
 * of the shares and the token of the verifier's reports.
 *
 * @throws 502 if the machine cannot mount a share
 */
export function verifierFirstBootData(plan: VerifierPlan, settings = IMAGE_SETTINGS): string {
  return firstBootParts(hostName(plan.hostname), verifierFiles(plan), settings);
}
