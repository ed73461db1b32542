import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './server-process.ts';

/** Checks of the tree as a whole, which take seconds. */
const ALWAYS = ['test/architecture.test.ts', 'test/decisions.test.ts', 'test/vocabulary.test.ts'];

/**
 * Test files and folders for the changes since the branch left `main`, committed or not: changed
 * tests, and the unit tests of changed workspaces and scripts. Includes end-to-end suites only if they
 * have changed themselves.
 */
export function changedTests(): string[] {
  const base = git('merge-base', 'HEAD', 'main')[0] ?? 'HEAD';
  const changed = [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')];
  const tests = changed.flatMap((file) => testsOf(file) ?? []);
  return [...new Set([...ALWAYS, ...tests])].filter((path) => existsSync(join(projectRoot, path)));
}

/** The tests of one file. */
export function testsOf(file: string): string | undefined {
  if (file.endsWith('.test.ts')) return file;
  const [folder, name] = file.split('/');
  if (folder === 'apps' || folder === 'packages') return `test/${folder}/${name}`;
  return folder === 'scripts' || folder === 'deploy' ? `test/${folder}` : undefined;
}

function git(...args: string[]): string[] {
  const output = execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8' });
  return output.split('\n').filter((line) => line !== '');
}
