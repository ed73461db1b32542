import { hostName } from '../cloud-config.ts';
import { firstBootParts } from '../first-boot-parts.ts';
import { builderFiles } from './files.ts';
import type { BuilderPlan } from './plan.ts';

/**
 * First-boot data (cloud-init user data) for a builder, as text: pass it through `encodeUserData`. It holds
 * the share's key and the token of its reports.
 *
 * @throws 502 when the share can not be mounted as it was reported
 */
export function builderFirstBootData(plan: BuilderPlan): string {
  return firstBootParts(hostName(plan.hostname), builderFiles(plan));
}
