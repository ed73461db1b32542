import { enumOf, listOf } from '@gateway/core/shapes';

/** What `DashboardParts` could not read for a user. */
export const unavailable = listOf(
  enumOf('DashboardService', ['blockStorage', 'compute', 'network', 'sharedFileSystem']),
  [],
).describe('The services whose parts are null because they are unavailable, or refuse the read.');
