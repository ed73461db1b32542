import { stringify } from 'yaml';
import { staticFiles } from './guest-file.ts';
import { overlayFiles } from './overlay-files.ts';
import type { FirstBootPlan } from './plan.ts';

/**
 * First-boot data (cloud-init user data) for a new instance, as text: pass it through `encodeUserData`.
 * It holds the shares' keys, so it is as secret as they are; anybody who can log in to the instance can
 * read it, by the nature of user data.
 *
 * @throws 502 when a share can not be mounted as it was reported
 */
export function firstBootData({ hostname, passwordHash, overlay }: FirstBootPlan): string {
  return cloudConfig({
    ...hostName(hostname),
    ...(passwordHash === null
      ? {}
      : { password: passwordHash, chpasswd: { expire: false }, ssh_pwauth: true }),
    ...(overlay === null
      ? {}
      : {
          write_files: [...staticFiles, ...overlayFiles(overlay)],
          // The last and only one: its exit status becomes cloud-init's.
          runcmd: [['/usr/local/sbin/gateway-first-boot']],
        }),
  });
}

/** cloud-init reads YAML 1.1, where `yes` or `0600` without quotes are no texts. */
function cloudConfig(config: Record<string, unknown>): string {
  return `#cloud-config\n${stringify(config, { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false })}`;
}

/** As the compute service makes it of a server's name; none, when nothing is left of the name. */
function hostName(name: string): { hostname?: string } {
  const label = name
    .toLowerCase()
    .replaceAll(/[\s_.]+/g, '-')
    .replaceAll(/[^a-z0-9-]/g, '')
    .slice(0, 63)
    .replaceAll(/^-+|-+$/g, '');
  return label === '' ? {} : { hostname: label };
}
