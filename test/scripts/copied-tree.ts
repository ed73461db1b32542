import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectRoot } from '../../scripts/server-process.ts';

const INSTALLED = [
  'node_modules',
  'packages/client/node_modules',
  'packages/cli/node_modules',
  'apps/api/node_modules',
];

/** A repository with one commit: the files of this tree, also those that are not committed. */
export interface CopiedTree {
  folder: string;
  git(...args: string[]): string;
  remove(): void;
}

/** The copy has the installed packages, as hard links. */
export function copyTree(): CopiedTree {
  const data = join(projectRoot, '.data');
  mkdirSync(data, { recursive: true });
  const folder = mkdtempSync(join(data, 'copied-tree-'));
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
  const listing = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', listing, { cwd: projectRoot, encoding: 'utf8' }).split('\0');
  for (const file of files.filter(Boolean)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(projectRoot, file), join(folder, file), { force: true });
  }
  for (const installed of INSTALLED) {
    execFileSync('cp', ['--archive', '--link', join(projectRoot, installed), join(folder, installed)]);
  }
  git('init', '--quiet', '--initial-branch', 'main');
  git('config', 'user.name', 'Test');
  git('config', 'user.email', 'test@example.org');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Copy');
  return { folder, git, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
