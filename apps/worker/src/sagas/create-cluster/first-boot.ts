import type { CreateClusterStepContext } from './saga.ts';

/** The first-boot data of the control node, encoded. Contains secrets, so it must not be stored. */
export async function controlNodeUserData(
  _context: CreateClusterStepContext,
  token: string,
): Promise<string> {
  return Buffer.from(JSON.stringify({ token })).toString('base64');
}
