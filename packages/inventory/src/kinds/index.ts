import { accessRule } from './access-rule.ts';
import { backup } from './backup.ts';
import { floatingIp } from './floating-ip.ts';
import { image } from './image.ts';
import type { LeftoverKind, ResourceKind } from './kind.ts';
import { loadBalancer } from './load-balancer.ts';
import { port } from './port.ts';
import { securityGroup } from './security-group.ts';
import { server } from './server.ts';
import { share } from './share.ts';
import { volume } from './volume.ts';

export { removeAccessRule } from './access-rule.ts';
export { beginBackupRemoval, findBackups, removeBackup, toMarkedBackup } from './backup.ts';
export { releaseFloatingIp, removeFloatingIp } from './floating-ip.ts';
export { findImages, removeImage } from './image.ts';
export { removeLoadBalancer } from './load-balancer.ts';
export type { JobMark } from './mark.ts';
export { hasMark, type MarkedResource } from './marked-resource.ts';
export type { OwnUse } from './own-use.ts';
export { findPorts, portStillGranted, releasePort, removePort } from './port.ts';
export { againIfStale, isStuck, type RemovalOptions, type RemovalRights } from './removal.ts';
export { removeSecurityGroup } from './security-group.ts';
export { findServers, removeServer, toMarkedServer } from './server.ts';
export { findShares, removeShare, toMarkedShare } from './share.ts';
export { findVolumes, removeVolume, toMarkedVolume, type VolumeDeletion } from './volume.ts';

/** The kinds of what jobs create in the services, by their names in the leftovers of jobs. */
export const kinds = {
  server,
  volume,
  backup,
  share,
  port,
  floating_ip: floatingIp,
  security_group: securityGroup,
  image,
  load_balancer: loadBalancer,
  access_rule: accessRule,
  // A managed cluster. Its service has no field for a mark: it is found by its name.
  cluster: { poll: [2, 10], leftovers: null },
  attachment: { poll: [0.3, 1], leftovers: null },
  // Found and removed by the jobs of lite clusters alone.
  application_credential: { poll: null, leftovers: null },
  node: { poll: null, leftovers: null },
  secret: { poll: null, leftovers: null },
} as const satisfies Record<string, ResourceKind>;

type Kinds = typeof kinds;

type KindName = keyof Kinds;

/** A kind whose changes are waited for. */
export type PolledKind = {
  [Name in KindName]: Kinds[Name]['poll'] extends null ? never : Name;
}[KindName];

/** A kind whose leftovers administrators find and remove. */
export type LeftoverType = {
  [Name in KindName]: Kinds[Name]['leftovers'] extends null ? never : Name;
}[KindName];

export const LEFTOVER_TYPES = (Object.keys(kinds) as KindName[]).filter(
  (name): name is LeftoverType => kinds[name].leftovers !== null,
);

export function isLeftoverType(type: string): type is LeftoverType {
  return (LEFTOVER_TYPES as readonly string[]).includes(type);
}

export function leftoverKind(type: LeftoverType): LeftoverKind {
  return kinds[type].leftovers;
}
