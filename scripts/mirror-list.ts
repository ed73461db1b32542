import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { enabledPlugins, pluginImages, pluginKeys, upgradeImage } from '@gateway/lite';
import { loadConfig } from '@gateway/platform';

/**
 * Prints what a site without internet access mirrors for its lite clusters, by the configuration:
 *   npm run --silent mirror-list [-- [--all-plugins] [--arch amd64] [--k3s-images <file>]]
 * A line is `file <url>` or `image <reference>`. The images of k3s itself are in a file of each release,
 * which the command downloads, unless one for all is given.
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
  const { artifactUrl, installerUrl, upgradeVersions, version } = lite.k3s;
  const versions = [...new Set([version, ...upgradeVersions])];
  const releases = versions.map((one) => `${artifactUrl ?? RELEASES}/${encodeURIComponent(one)}`);
  const suffix = options.arch === 'amd64' ? '' : `-${options.arch}`;
  const names = [`k3s${suffix}`, `sha256sum-${options.arch}.txt`];
  const files = releases.flatMap((release) => names.map((name) => `${release}/${name}`));
  for (const url of [installerUrl, ...files]) console.log(`file ${url}`);
  const plugins = options['all-plugins'] ? pluginKeys : enabledPlugins(lite.plugins, { hasGpus: true });
  const images = new Set([upgradeImage, ...pluginImages(plugins, versions)]);
  for (const image of images) console.log(`image ${image}`);
  const listUrls = releases.map((release) => `${release}/k3s-images.txt`);
  try {
    const lists = await Promise.all(listUrls.map((url) => readList(options['k3s-images'], url)));
    const own = new Set(lists.flatMap((list) => list.split(/\s+/).filter(Boolean)));
    for (const image of own) console.log(`image ${image}`);
    return 0;
  } catch (error) {
    console.error(`The images of k3s itself are missing: ${error instanceof Error ? error.message : error}`);
    console.error(`They are in ${listUrls.join(' and ')}; pass a copy with --k3s-images.`);
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
