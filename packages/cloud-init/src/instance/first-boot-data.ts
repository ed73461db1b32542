import { hostName } from '../cloud-config.ts';
import { firstBootParts } from '../first-boot-parts.ts';
import { instanceFiles } from './files.ts';
import type { FirstBootPlan } from './plan.ts';

/**
 * First-boot data (cloud-init user data) for a new instance, as text: pass it through `encodeUserData`.
 * It holds the shares' keys, so it is as secret as they are; anybody who can log in to the instance can
 * read it, by the nature of user data.
 *
 * @throws 502 when a share can not be mounted as it was reported
 */
export function firstBootData(plan: FirstBootPlan): string {
  const { hostname, passwordHash } = plan;
  const account =
    passwordHash === null ? {} : { password: passwordHash, chpasswd: { expire: false }, ssh_pwauth: true };
  return firstBootParts({ ...hostName(hostname), ...account }, instanceFiles(plan));
}
