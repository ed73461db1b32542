import { BlockList, isIPv6 } from 'node:net';
import type { Server } from '../compute/state.ts';
import type { AccessRule } from '../shared-file-system/state.ts';
import { addressesOf } from './addresses.ts';
import type { GuestCloud } from './cloud.ts';
import type { FirstBootData } from './first-boot-data.ts';

/** A share mount in the first-boot data. */
interface ShareMount {
  exportPath: string;
  /** The Ceph client's name and key; null for other protocols. */
  client: { name: string; key: string } | null;
  writable: boolean;
}

const SHARE_TYPES = ['nfs', 'nfs4', 'ceph'];

/** The share mounts in the mount units of the data. */
export function shareMounts({ files }: FirstBootData): ShareMount[] {
  const mounts: ShareMount[] = [];
  for (const [path, text] of files) {
    if (!path.endsWith('.mount') || !SHARE_TYPES.includes(setting(text, 'Type') ?? '')) continue;
    const options = (setting(text, 'Options') ?? '').split(',');
    const option = (name: string) =>
      options.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1);
    const name = option('name');
    const key = files.get(option('secretfile') ?? '')?.trim() ?? '';
    mounts.push({
      exportPath: (setting(text, 'What') ?? '').replaceAll('%%', '%'),
      client: name === undefined ? null : { name, key },
      writable: !options.includes('ro'),
    });
  }
  return mounts;
}

/** The export paths of the shares that the data mounts. */
export function exportsOf(data: FirstBootData): string[] {
  return shareMounts(data).map(({ exportPath }) => exportPath);
}

function setting(unit: string, name: string): string | undefined {
  return new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1];
}

/** Whether an active access rule of the share grants the server the requested access. */
export function hasShareAccess(cloud: GuestCloud, server: Server, mount: ShareMount): boolean {
  const { rules, shares } = cloud.sharedFileSystem;
  for (const rule of rules.values()) {
    if (rule.state !== 'active' || (mount.writable && rule.level !== 'rw')) continue;
    const exports = shares.get(rule.shareId)?.exports ?? [];
    if (!exports.some(({ path }) => path === mount.exportPath)) continue;
    if (mount.client === null ? hasAddress(cloud, server, rule) : isClient(rule, mount.client)) return true;
  }
  return false;
}

function isClient(rule: AccessRule, { name, key }: { name: string; key: string }): boolean {
  return rule.type === 'cephx' && rule.to === name && rule.key === key;
}

function hasAddress(cloud: GuestCloud, server: Server, rule: AccessRule): boolean {
  if (rule.type !== 'ip') return false;
  const family = isIPv6(rule.to.split('/')[0] ?? '') ? 'ipv6' : 'ipv4';
  const [network = '', bits = family === 'ipv6' ? '128' : '32'] = rule.to.split('/');
  const allowed = new BlockList();
  allowed.addSubnet(network, Number(bits), family);
  return addressesOf(cloud, server).some((address) => allowed.check(address, family));
}
