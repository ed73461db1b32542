import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from './debian-package.ts';

const VERSION = '3.22.0';

/** The path of helm: of this machine, or as `npm run helm` has built it; undefined without both. */
export function findHelm(): string | undefined {
  const built = join(builtFolder(), 'helm');
  return findProgram(['helm']) ?? (existsSync(built) ? built : undefined);
}

function builtFolder(): string {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  return join(cache, 'cloud-resource-gateway', `helm-${VERSION}`);
}

/** Builds helm from its Go module into the cache of the user, unless it is there: `npm run helm`. */
function buildHelm(): number {
  const found = findHelm();
  if (found !== undefined) {
    console.log(found);
    return 0;
  }
  const go = findProgram(['go']);
  if (go === undefined) {
    console.error('helm is missing: install it, or Go, which builds it');
    return 1;
  }
  // A build that is interrupted, or one beside this one, leaves no half of a program.
  const own = `${builtFolder()}.${process.pid}`;
  try {
    mkdirSync(own, { recursive: true });
    const { status } = spawnSync(go, ['install', `helm.sh/helm/v3/cmd/helm@v${VERSION}`], {
      env: { ...process.env, GOBIN: own },
      stdio: 'inherit',
    });
    if (status !== 0) return status ?? 1;
    mkdirSync(builtFolder(), { recursive: true });
    renameSync(join(own, 'helm'), join(builtFolder(), 'helm'));
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
  console.log(join(builtFolder(), 'helm'));
  return 0;
}

if (import.meta.main) process.exitCode = buildHelm();
