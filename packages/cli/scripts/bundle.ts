import { chmodSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';

const folder = dirname(import.meta.dirname);
const output = join(folder, 'dist');
const LICENSE_FILES = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'license'];

/**
 * Writes `dist/`: modules that contain the client and all libraries, so that the package has no dependencies.
 * What only some commands need is in modules of its own, which are loaded on demand.
 */
export async function bundle(): Promise<void> {
  rmSync(output, { recursive: true, force: true });
  const { metafile } = await build({
    entryPoints: [join(folder, 'src/main.ts')],
    outdir: output,
    absWorkingDir: folder,
    bundle: true,
    splitting: true,
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['@gateway/source'],
    banner: { js: requireForCommonJs },
    metafile: true,
  });
  // The scripts of shells are read as files.
  cpSync(join(folder, 'src/completion/scripts'), join(output, 'scripts'), { recursive: true });
  chmodSync(join(output, 'main.js'), 0o755);
  writeFileSync(join(output, 'licenses.txt'), licensesOf(Object.keys(metafile.inputs)));
}

const requireForCommonJs =
  "import{createRequire as $createRequire}from'node:module';const require=$createRequire(import.meta.url);";

/** The licenses of the libraries, which have to accompany them. */
function licensesOf(inputs: readonly string[]): string {
  const packages = inputs.flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? []);
  return `${[...new Set(packages)].sort().map(licenseOf).join('\n\n')}\n`;
}

function licenseOf(path: string): string {
  const { name, version, license } = JSON.parse(read(join(path, 'package.json')));
  const [text = ''] = LICENSE_FILES.map((file) => read(join(path, file)).trim()).filter(Boolean);
  return `${name} ${version} (${license})\n\n${text}`.trim();
}

function read(path: string): string {
  try {
    return readFileSync(join(folder, path), 'utf8');
  } catch {
    return '';
  }
}
