import { join } from 'node:path';
import { PACKAGE } from './generate.ts';
import { packSource } from './pack.ts';

/** Packs the Python package: `npm run pack:python [-- <folder>]`. */
console.log(await packSource(process.argv[2] ?? join(PACKAGE, 'dist')));
