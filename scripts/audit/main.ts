import { projectRoot } from '../server-process.ts';
import { audit } from './audit.ts';

/** Exits with 1 if locked packages are known to be vulnerable. Without an answer of the registry, says so. */
const { state, message } = await audit(projectRoot);
if (state === 'none') console.log(message);
else console.error(state === 'unknown' ? `SKIPPED: ${message}` : message);
process.exitCode = state === 'found' ? 1 : 0;
