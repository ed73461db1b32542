import { setFlagsFromString } from 'node:v8';

/**
 * Sets how V8 uses the old generation of the heap. A process imports this module first: V8 keeps what it has
 * decided while other modules load. `NODE_OPTIONS` does not accept these flags. See decision 84.
 */

/** The growth of the old generation between two collections, in percent of what survived the last one. */
const HEAP_GROWTH_PERCENT = 60;

// V8 itself derives the growth from the limit of the heap: 40 % with 512 MiB. An uncached list then takes 5 %
// more processor time.
setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
// V8 takes the options of got's calls for long-lived objects. It would create them in the old generation,
// where they keep the whole call with its response until a large collection.
setFlagsFromString('--no-allocation-site-pretenuring');
