import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generators } from './generators/generators.ts';
import { installTools } from './generators/tools.ts';
import { startStack } from './stack.ts';

/**
 * Generates clients with common generators from the document of a running gateway, compiles them, and makes
 * one call of every kind with each: a list with a filter, a creation, a 409, a file, and a stream of events.
 *   npm run test:generators [-- <part of a generator's name>]
 * Needs Python, Go, npm and their package registries. Ends with the line `N passed, N failed`.
 */
const wanted = process.argv[2] ?? '';
const folder = mkdtempSync(join(tmpdir(), 'gateway-generators-'));
let passed = 0;
let failed = 0;
const stack = await startStack();
try {
  const response = await fetch(`${stack.url}/api/openapi.json`);
  writeFileSync(join(folder, 'document.json'), await response.text());
  const { tools, missing } = await installTools(folder);
  for (const generator of generators.filter(({ name }) => name.includes(wanted))) {
    const lacking = generator.needs.flatMap((tool) => missing.get(tool) ?? []);
    const result = lacking.length > 0 ? `NOT FETCHED: ${lacking.join('; ')}` : await attempt(generator);
    console.log(`${generator.name}: ${result ?? 'generates, compiles and calls'}`);
    if (result === null) passed += 1;
    else failed += 1;
  }

  async function attempt(generator: (typeof generators)[number]): Promise<string | null> {
    return generator.try(tools, stack.url).then(
      () => null,
      (error: unknown) => `FAILED: ${error instanceof Error ? error.message : error}`,
    );
  }
} finally {
  await stack.stop();
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
