import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../../scripts/release/run.ts';

/** The package of Debian with the default profile of podman and CRI-O, and the path of the profile in it. */
const PACKAGE = 'golang-github-containers-common';
const PATH = './usr/share/containers/seccomp.json';

interface Condition {
  caps?: string[];
  arches?: string[];
}

/** A rule of the profile, in the format that container engines share. */
interface ProfileRule {
  names: string[];
  action: string;
  args: { index: number; value: number; valueTwo: number; op: string }[] | null;
  errnoRet?: number;
  includes: Condition;
  excludes: Condition;
}

interface Profile {
  defaultAction: string;
  defaultErrnoRet: number;
  archMap: { architecture: string; subArchitectures: string[] }[];
  syscalls: ProfileRule[];
}

/** The names of Node's architectures in the profile. */
const ARCHITECTURES: Record<string, { profile: string; libseccomp: string }> = {
  x64: { profile: 'amd64', libseccomp: 'SCMP_ARCH_X86_64' },
  arm64: { profile: 'arm64', libseccomp: 'SCMP_ARCH_AARCH64' },
};

/**
 * What the seccomp profile `RuntimeDefault` of a manifest means for a container without capabilities on this
 * machine, in the terms of the OCI runtime specification. Downloads Debian's package of the profile, without
 * installing it.
 */
export async function defaultSeccomp(): Promise<object> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-seccomp-'));
  try {
    await run('apt-get', ['download', PACKAGE], folder);
    const text = await run('sh', ['-c', `dpkg-deb --fsys-tarfile *.deb | tar -xO ${PATH}`], folder);
    return withoutCapabilities(JSON.parse(text) as Profile);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function withoutCapabilities({ defaultAction, defaultErrnoRet, archMap, syscalls }: Profile): object {
  const names = ARCHITECTURES[process.arch];
  const machine = archMap.find(({ architecture }) => architecture === names?.libseccomp);
  if (names === undefined || machine === undefined) throw new Error(`no profile for ${process.arch}`);
  const applies = ({ includes, excludes }: ProfileRule) =>
    includes.caps === undefined &&
    (includes.arches?.includes(names.profile) ?? true) &&
    excludes.arches?.includes(names.profile) !== true;
  return {
    defaultAction,
    defaultErrnoRet,
    architectures: [machine.architecture, ...machine.subArchitectures],
    syscalls: syscalls.filter(applies).map((rule) => ({
      names: rule.names,
      action: rule.action,
      args: rule.args ?? [],
      ...(rule.errnoRet !== undefined && { errnoRet: rule.errnoRet }),
    })),
  };
}
