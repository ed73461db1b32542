import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Package {
  version?: string;
  packages?: Record<string, { version?: string; link?: boolean }>;
}

const WORKSPACES = ['package.json', 'apps/*/package.json', 'packages/*/package.json'];
/** The overlays name the tag of the image. */
const OVERLAYS = 'deploy/kubernetes/overlays/*/kustomization.yaml';
const TAG = /^( *newTag: ).*$/gm;
const CHART = 'deploy/helm/Chart.yaml';
const CHART_VERSIONS = /^((?:version|appVersion): ).*$/gm;
const PYTHON_PROJECT = 'packages/client-python/pyproject.toml';
const PYTHON_VERSION = /^(version = ).*$/m;

/** The version of the root package. */
export function currentVersion(folder: string): string {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Package;
  return version ?? '';
}

/**
 * Writes the version wherever the tree names it: packages, lock file, tag of the image, chart, Python
 * package.
 */
export function writeVersion(folder: string, version: string): void {
  const workspaces = globSync(WORKSPACES, { cwd: folder });
  for (const file of workspaces) changeJson(join(folder, file), (content) => ({ ...content, version }));
  changeJson(join(folder, 'package-lock.json'), (lock) => {
    for (const file of workspaces) {
      const entry = lock.packages?.[file.replace(/\/?package\.json$/, '')];
      if (entry?.version !== undefined) entry.version = version;
    }
    return { ...lock, version };
  });
  for (const file of globSync(OVERLAYS, { cwd: folder })) {
    changeText(join(folder, file), (text) => text.replace(TAG, `$1${version}`));
  }
  changeText(join(folder, CHART), (text) => text.replace(CHART_VERSIONS, `$1${version}`));
  changeText(join(folder, PYTHON_PROJECT), (text) => text.replace(PYTHON_VERSION, `$1"${version}"`));
}

function changeText(path: string, change: (text: string) => string): void {
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}

function changeJson(path: string, change: (content: Package) => Package): void {
  changeText(path, (text) => `${JSON.stringify(change(JSON.parse(text) as Package), null, 2)}\n`);
}
