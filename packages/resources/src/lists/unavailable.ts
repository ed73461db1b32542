import { listOf, oneOf } from '@gateway/core/shapes';

/** What `DashboardParts` could not read for a user. */
export const unavailable = listOf(
  oneOf(['blockStorage', 'compute', 'network', 'sharedFileSystem']),
  [],
).describe('The services whose parts are null because they are unavailable, or refuse the read.');
