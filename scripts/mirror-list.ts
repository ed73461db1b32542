import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { loadConfig } from '@gateway/config';
import { enabledPlugins, pluginImages, pluginKeys } from '@gateway/lite';

/**
 * Prints what a site without internet access mirrors for its lite clusters, by the configuration:
 *   npm run --silent mirror-list [-- [--all-plugins] [--arch amd64] [--k3s-images <file>]]
 * A line is `file <url>` or `image <reference>`. The images of k3s itself are in a file of its release, which
 * the command downloads, unless it is given.
 */
const RELEASES = 'https://github.com/k3s-io/k3s/releases/download';

process.exitCode = await main();

async function main(): Promise<number> {
  const { values: options } = parseArgs({
    options: {
      'all-plugins': { type: 'boolean', default: false },
      arch: { type: 'string', default: 'amd64' },
      'k3s-images': { type: 'string' },
    },
  });
  const { lite } = loadConfig({ GATEWAY_SEALING_KEYS: unusedKey(), ...process.env });
  const { artifactUrl, installerUrl, version } = lite.k3s;
  const release = `${artifactUrl ?? RELEASES}/${encodeURIComponent(version)}`;
  const suffix = options.arch === 'amd64' ? '' : `-${options.arch}`;
  const files = [installerUrl, `${release}/k3s${suffix}`, `${release}/sha256sum-${options.arch}.txt`];
  for (const url of files) console.log(`file ${url}`);
  const plugins = options['all-plugins'] ? pluginKeys : enabledPlugins(lite.plugins);
  for (const image of pluginImages(plugins)) console.log(`image ${image}`);
  const listUrl = `${release}/k3s-images.txt`;
  try {
    const list = await readList(options['k3s-images'], listUrl);
    for (const image of list.split(/\s+/).filter(Boolean)) console.log(`image ${image}`);
    return 0;
  } catch (error) {
    console.error(`The images of k3s itself are missing: ${error instanceof Error ? error.message : error}`);
    console.error(`They are in ${listUrl}; pass a copy with --k3s-images.`);
    return 1;
  }
}

/** The configuration requires a key, and this command seals nothing. */
function unusedKey(): string {
  return `unused:${randomBytes(32).toString('base64')}`;
}

async function readList(file: string | undefined, url: string): Promise<string> {
  if (file !== undefined) return readFile(file, 'utf8');
  const response = await fetch(url, { signal: AbortSignal.timeout(30_000) });
  if (!response.ok) throw new Error(`${url} answers ${response.status}.`);
  return response.text();
}
