import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { FileOption, NamingArgument } from '../operations/completed-values.ts';
import { resolveId } from '../operations/resolve.ts';
import { note, print } from '../output/print.ts';
import { writePrivateFile } from '../output/private-file.ts';
import { type SessionOptions, withGateway } from '../session/open-session.ts';
import { readBody } from './call.ts';
import { withUrl } from './options.ts';

interface KubeconfigOptions extends SessionOptions {
  output?: string;
}

const CLUSTER = { name: 'cluster_id', list: '/api/lite/clusters' };
const INSTANCE = { name: 'instance_id', list: '/api/instances' };

/** `kubeconfig` and `console`. */
export function addAccessCommands(program: Command, context: Context): void {
  withUrl(program.command('kubeconfig'))
    .description('print the configuration file of a lite cluster for kubectl')
    .addArgument(new NamingArgument('<cluster>', CLUSTER))
    .addOption(new FileOption('--output <file>', 'write it to a file that only you can read'))
    .action((cluster: string, options: KubeconfigOptions) => writeKubeconfig(context, cluster, options));
  withUrl(program.command('console'))
    .description('print the address of the console of an instance, for a browser')
    .addArgument(new NamingArgument('<instance>', INSTANCE))
    .action((instance: string, options: SessionOptions) => printConsole(context, instance, options));
}

async function writeKubeconfig(context: Context, cluster: string, options: KubeconfigOptions): Promise<void> {
  const { output: file } = options;
  await withGateway(context, options, async (gateway) => {
    const id = await resolveId(context, gateway, CLUSTER, cluster);
    const path = { cluster_id: id };
    const response = await gateway.send('GET /api/lite/clusters/{cluster_id}/kubeconfig', { path });
    const text = String(await readBody(response));
    if (file === undefined) return print(context, [text.trimEnd()]);
    writePrivateFile(file, text);
    note(context, `Written to ${file}.`);
  });
}

async function printConsole(context: Context, instance: string, options: SessionOptions): Promise<void> {
  await withGateway(context, options, async (gateway) => {
    const id = await resolveId(context, gateway, INSTANCE, instance);
    const path = { instance_id: id };
    const { url } = await gateway.request('GET /api/instances/{instance_id}/console', { path });
    print(context, [url]);
  });
}
