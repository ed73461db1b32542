import { hasUpperDisk } from './layers.ts';
import { exportsOf } from './mounts.ts';
import { pipInstall } from './pip.ts';
import { ReportedWork, type WorkResult } from './reported-work.ts';
import type { Role } from './role.ts';
import type { Vm } from './vm.ts';

/** Mounts a library as instances do, imports its packages, reports to the URL in its plan, and powers off. */
export const verifier: Role = {
  task: 'verify',
  run(vm) {
    const work = new ReportedWork(vm);
    return work.run(() => verify(work));
  },
};

/** Null when the machine powers off before the end. */
async function verify(work: ReportedWork): Promise<WorkResult | null> {
  const { vm } = work;
  const { outcome } = vm.cloud.settings.guest;
  work.startStage('layers');
  if (outcome === 'fails' || !(await work.hasShareAccess())) {
    return { success: false, error: 'mount.nfs: access denied by server' };
  }
  work.startStage('upper_disk');
  if (!hasUpperDisk(vm)) return { success: false, error: 'no disk has the serial of the volume' };
  work.startStage('imports');
  const timeout = await work.spendTime();
  if (outcome === 'powers-off') return null;
  if (timeout !== null) return timeout;
  const packages = importPackages(vm);
  for (const one of packages) work.log(JSON.stringify(one));
  work.startStage('done');
  return { success: true, packages } as WorkResult;
}

/** The versions are those that the shares record, unless the settings name others. */
function importPackages(vm: Vm): object[] {
  const { brokenPackages, packageVersions } = vm.cloud.settings.guest;
  const installed = pipInstall({
    requirements: vm.machine.plan.all('import'),
    constraints: [],
    index: { ...recordedVersions(vm), ...packageVersions },
  });
  return installed.map((pinned) => {
    const [name = '', version = ''] = pinned.split('==');
    const error = brokenPackages.includes(name)
      ? `ImportError: lib${name}.so.1: cannot open shared object file: No such file or directory`
      : null;
    return { name, version, imported: error === null, error };
  });
}

function recordedVersions({ cloud, machine }: Vm): Record<string, string> {
  const mounted = exportsOf(machine.data);
  const shares = [...cloud.sharedFileSystem.shares.values()].filter(({ exports }) =>
    exports.some(({ path }) => mounted.includes(path)),
  );
  const pinned = shares.flatMap(({ metadata }) =>
    Object.entries(metadata)
      .filter(([key]) => /^overlay_packages(_\d+)?$/.test(key))
      .flatMap(([, list]) => list.split(',')),
  );
  return Object.fromEntries(pinned.map((one) => one.split('==') as [string, string]));
}
