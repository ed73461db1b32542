import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { programFolder, toolFolder } from '../test/support/kubernetes/api-server-tool.ts';
import { findProgram } from './debian-package.ts';
import { projectRoot } from './server-process.ts';
import { environmentWithoutSettings } from './stack-environment.ts';
import { runPools, testArguments, testCommand, testFiles } from './test-runs.ts';

/**
 * Lets a real Kubernetes API server judge the manifests, the chart and the simulated API server:
 *   npm run test:kubernetes [-- [--grep <text>] [<file or pattern>...]]
 * Builds the programs that are missing: the server, kubectl and helm. Needs the test bed for Kubernetes
 * beside the repository, and Go. Ends with the line `N passed, N failed`.
 */
await testCommand(async (stopped) => {
  const build = join(toolFolder, 'build');
  if (!existsSync(build))
    throw new Error(`NOTHING WAS CHECKED: the test bed for Kubernetes is missing, ${toolFolder}`);
  const needsKubectl = findProgram(['kubectl']) === undefined;
  run('bash', [build, ...(needsKubectl ? ['--kubectl'] : [])]);
  run(process.execPath, ['scripts/helm.ts']);

  const env = environmentWithoutSettings();
  if (needsKubectl) env.PATH = `${programFolder()}${delimiter}${env.PATH}`;
  const { flags, patterns } = testArguments([
    'test/deploy/kubernetes-apply.test.ts',
    'test/packages/lite/kubernetes',
    'test/packages/lite/plugin-cluster.test.ts',
  ]);
  return runPools([{ files: testFiles(patterns), flags, env }], { stopped });
});

function run(command: string, args: string[]): void {
  const { status, error } = spawnSync(command, args, { cwd: projectRoot, stdio: 'inherit' });
  if (status !== 0) throw new Error(`NOTHING WAS CHECKED: ${args[0]} failed. ${error?.message ?? ''}`);
}
