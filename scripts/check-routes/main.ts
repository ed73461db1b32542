/**
 * Compares the declared endpoints with the contract, and prints the differences. With `--update <inventory>`
 * it first updates the contract from the inventory of the interface.
 */
import { parseArgs } from 'node:util';
import { createDocument } from '../../apps/api/src/openapi/document.ts';
import { endpoints } from '../../apps/api/src/routes/index.ts';
import { checkRoutes } from './check.ts';
import { readContract } from './contract.ts';
import { fromInventory } from './from-inventory.ts';
import type { Document } from './openapi.ts';
import { writeContract } from './write-contract.ts';

const { update } = parseArgs({ options: { update: { type: 'string' } } }).values;
if (update !== undefined) writeContract(fromInventory(update));
const contract = readContract();
const differences = checkRoutes(contract, (await createDocument(endpoints, '')) as unknown as Document);
for (const difference of differences) console.log(difference);
console.log(`${contract.length} endpoints compared, ${differences.length} differences`);
process.exitCode = differences.length === 0 ? 0 : 1;
