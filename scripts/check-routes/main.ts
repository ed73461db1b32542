/**
 * Compares the declared endpoints with the contract, and prints the differences. With `--update <inventory>` reads the
 * contract anew from the inventory of the interface first.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { stringify } from 'yaml';
import { createDocument } from '../../apps/api/src/openapi/document.ts';
import { endpoints } from '../../apps/api/src/routes/index.ts';
import { checkRoutes } from './check.ts';
import { CONTRACT_FILE, readContract } from './contract.ts';
import { fromInventory } from './from-inventory.ts';
import type { Document } from './openapi.ts';

const { update } = parseArgs({ options: { update: { type: 'string' } } }).values;
if (update !== undefined) {
  mkdirSync(dirname(CONTRACT_FILE), { recursive: true });
  const head = '# Made by scripts/check-routes/main.ts --update. Do not edit.\n';
  writeFileSync(
    CONTRACT_FILE,
    head + stringify(fromInventory(update), { aliasDuplicateObjects: false, lineWidth: 0 }),
  );
}
const contract = readContract();
const differences = checkRoutes(contract, createDocument(endpoints, '') as unknown as Document);
for (const difference of differences) console.log(difference);
console.log(`${contract.length} endpoints compared, ${differences.length} differences`);
process.exitCode = differences.length === 0 ? 0 : 1;
