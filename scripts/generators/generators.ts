import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../release/run.ts';
import type { Tools } from './tools.ts';

/** One generator of clients: generates from `document.json`, compiles, and makes one call of every kind. */
export interface Generator {
  name: string;
  needs: readonly (keyof Tools)[];
  try(tools: Tools, url: string): Promise<void>;
}

/** What openapi-python-client reads as text; it knows few media types. */
const PYTHON_CLIENT_CONFIG = 'content_type_overrides:\n  application/yaml: text/plain\n';

export const generators: readonly Generator[] = [
  {
    name: 'openapi-generator python',
    needs: ['java', 'python'],
    async try(tools, url) {
      await generate(tools, 'python', 'openapi-generator/python', 'packageName=gatewayapi');
      await runPython(tools, 'openapi_generator.py', 'openapi-generator/python', url);
    },
  },
  {
    name: 'openapi-generator typescript-fetch',
    needs: ['java', 'npm'],
    async try(tools, url) {
      await generate(tools, 'typescript-fetch', 'typescript/typescript-fetch', 'supportsES6=true');
      await runTypeScript(tools, 'typescript-fetch', url);
    },
  },
  {
    name: 'openapi-generator go',
    needs: ['java', 'go'],
    async try(tools, url) {
      // Without the prefix, the values of two sets with the same word would be one constant.
      const options = 'packageName=gatewayapi,withGoMod=false,enumClassPrefix=true';
      await generate(tools, 'go', 'go/gatewayapi', options);
      await run('go', ['build', '-o', 'sample', './main.go'], join(tools.folder, 'go'));
      await runSample('./sample', null, join(tools.folder, 'go'), { GATEWAY_URL: url });
    },
  },
  {
    name: 'openapi-python-client',
    needs: ['python'],
    async try(tools, url) {
      writeFileSync(join(tools.folder, 'python-client.yaml'), PYTHON_CLIENT_CONFIG);
      const target = 'python-client/gateway_client_of_python';
      const options = ['--config', 'python-client.yaml', '--meta', 'none', '--overwrite'];
      const args = ['generate', '--path', 'document.json', '--output-path', target, ...options];
      await run(join(tools.folder, 'environment/bin/openapi-python-client'), args, tools.folder);
      await runPython(tools, 'openapi_python_client.py', 'python-client', url);
    },
  },
  {
    name: 'orval',
    needs: ['npm'],
    async try(tools, url) {
      const args = ['--input', '../document.json', '--output', 'orval/index.ts', '--client', 'fetch'];
      await runInTypeScript(tools, 'orval/dist/bin/orval.js', args);
      await runTypeScript(tools, 'orval', url);
    },
  },
  {
    name: '@hey-api/openapi-ts with validators',
    needs: ['npm'],
    async try(tools, url) {
      await run(process.execPath, ['generate-hey-api.mjs'], join(tools.folder, 'typescript'));
      await runTypeScript(tools, 'hey-api', url);
    },
  },
  {
    name: 'openapi-typescript',
    needs: ['npm'],
    async try(tools, url) {
      const args = ['../document.json', '--output', 'openapi-typescript/schema.ts'];
      await runInTypeScript(tools, 'openapi-typescript/bin/cli.js', args);
      await runTypeScript(tools, 'openapi-typescript', url);
    },
  },
];

async function generate(
  { folder, java }: Tools,
  kind: string,
  target: string,
  options: string,
): Promise<void> {
  const [jar = ''] = globSync('environment/lib/python*/site-packages/openapi_generator_cli/*.jar', {
    cwd: folder,
  });
  const args = ['-jar', jar, 'generate', '-g', kind, '-i', 'document.json', '-o', target, '-p', options];
  await run(java, args, folder);
}

async function runPython({ folder }: Tools, file: string, packages: string, url: string): Promise<void> {
  const python = join(folder, 'environment/bin/python');
  const variables = { GATEWAY_URL: url, PYTHONPATH: join(folder, packages) };
  await runSample(python, join('samples', file), folder, variables);
}

function runInTypeScript({ folder }: Tools, program: string, args: readonly string[]): Promise<string> {
  return run(process.execPath, [join('node_modules', program), ...args], join(folder, 'typescript'));
}

/** Checks the types of a sample and of the client that it imports, compiles both, and runs the sample. */
async function runTypeScript(tools: Tools, name: string, url: string): Promise<void> {
  const config = { extends: './tsconfig.json', files: [`${name}.cts`] };
  const folder = join(tools.folder, 'typescript');
  writeFileSync(join(folder, `tsconfig.${name}.json`), JSON.stringify(config));
  await runInTypeScript(tools, 'typescript/bin/tsc', ['-p', `tsconfig.${name}.json`]);
  await runSample(process.execPath, `dist/${name}.cjs`, folder, { GATEWAY_URL: url });
}

async function runSample(
  program: string,
  file: string | null,
  folder: string,
  variables: Record<string, string>,
): Promise<void> {
  const settings = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  await run('env', [...settings, program, ...(file === null ? [] : [file])], folder);
}
