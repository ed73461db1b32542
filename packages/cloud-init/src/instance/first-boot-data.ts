import { hostName } from '../cloud-config.ts';
import { firstBootParts } from '../first-boot-parts.ts';
import { IMAGE_SETTINGS } from '../first-boot-settings.ts';
import { instanceFiles } from './files.ts';
import type { FirstBootPlan } from './plan.ts';

/**
 * The first-boot data (cloud-init user data) of a new instance, as text for `encodeUserData`. Contains the
 * keys of the shares. Everybody who can log in to the instance can read its user data.
 *
 * @throws 502 if the machine cannot mount a share
 */
export function firstBootData(plan: FirstBootPlan, settings = IMAGE_SETTINGS): string {
  const { hostname, passwordHash, userData } = plan;
  const account =
    passwordHash === null ? {} : { password: passwordHash, chpasswd: { expire: false }, ssh_pwauth: true };
  const machine = { ...hostName(hostname), ...account };
  return firstBootParts(machine, instanceFiles(plan), settings, [], userData);
}
