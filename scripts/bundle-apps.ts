import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type OutputFile, type Plugin } from 'esbuild';
import { projectRoot } from './server-process.ts';

const APPS = ['api', 'worker', 'cloudsim'];
const folder = join(projectRoot, 'node_modules/.cache/apps');
/** Longer than any run. */
const UNUSED_MS = 7_200_000;

/**
 * Bundles api, worker and cloudsim for a test run, which starts them 600 times, and for the fault table,
 * which starts them thousands of times: a start from a few files takes less than half of the processor time
 * of a start from 2,000. Everywhere else the processes run the sources.
 * Returns the folder, in which an app is `<app>.mjs`.
 */
export async function bundleApps(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: APPS.map((app) => ({ in: `apps/${app}/src/main.ts`, out: app })),
    absWorkingDir: projectRoot,
    outdir: folder,
    write: false,
    bundle: true,
    splitting: true,
    keepNames: true,
    format: 'esm',
    platform: 'node',
    outExtension: { '.js': '.mjs' },
    target: 'node24',
    // Native and optional.
    external: ['msgpackr-extract'],
    // With this value collectGarbage() does nothing: it takes a sixth of a start, and processes of tests end
    // before the garbage matters.
    define: { 'process.features.inspector': 'false' },
    banner: { js: commonJsNames },
    plugins: [ownUrls, rareMeasurements],
  });
  return store(outputFiles);
}

/** What CommonJS modules expect to find. */
const commonJsNames = `
import { createRequire as $createRequire } from 'node:module';
const require = $createRequire(import.meta.url);
const { dirname: __dirname, filename: __filename } = import.meta;`;

/** Modules find the files beside their source. */
const ownUrls: Plugin = {
  name: 'own-urls',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const url = JSON.stringify(pathToFileURL(path).href);
      const contents = readFileSync(path, 'utf8')
        .replaceAll(/import\.meta\.resolve\(('\.[^']*')\)/g, `new URL($1, ${url}).href`)
        .replaceAll('import.meta.url', url);
      return { contents, loader: 'ts' };
    });
  },
};

/**
 * A process measures the delay of its event loop 100 times a second, which for all processes of a test run is
 * a twentieth of its processor time. No test needs the measurements.
 */
const rareMeasurements: Plugin = {
  name: 'rare-measurements',
  setup({ onLoad }) {
    onLoad({ filter: /prom-client\/lib\/metrics\/eventLoopLag\.js$/ }, ({ path }) => {
      const contents = readFileSync(path, 'utf8').replace('config.eventLoopMonitoringPrecision', '200');
      return { contents };
    });
  },
};

/** In a folder for this content, because processes of another run may be running another one. */
function store(files: readonly OutputFile[]): string {
  const hash = createHash('sha256');
  for (const { path, hash: content } of files) hash.update(`${path} ${content}\n`);
  const target = join(folder, hash.digest('hex').slice(0, 16));
  mkdirSync(folder, { recursive: true });
  removeUnused();
  if (existsSync(target)) {
    utimesSync(target, new Date(), new Date());
    return target;
  }
  const written = mkdtempSync(join(folder, 'new-'));
  for (const { path, contents } of files) writeFileSync(join(written, basename(path)), contents);
  try {
    renameSync(written, target);
  } catch (error) {
    // Another run has stored the same.
    rmSync(written, { recursive: true });
    if (!existsSync(target)) throw error;
  }
  return target;
}

/** The bundles of sources that have changed since. */
function removeUnused(): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const usedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (Date.now() - usedAt > UNUSED_MS) rmSync(path, { recursive: true, force: true });
  }
}
