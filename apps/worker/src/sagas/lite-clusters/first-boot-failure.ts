import { trimEndChars } from '@gateway/core';
import { maskSecrets } from '@gateway/platform';
import type { LiteClusterContext } from './context.ts';

/** A node and its machine. */
export interface NodeMachine {
  name: string;
  serverId: string;
}

/** The lines that the scripts of a machine write to its console at the end of each boot. */
const RESULT = 'gateway first boot: ';
const FAILURE = 'FAILED at ';
const MAX_LENGTH = 500;

/**
 * A sentence about the first of these nodes whose first boot has failed; null if none is known. Reads their
 * console logs, which also show the failures of agents whose report was lost.
 */
export async function describeFirstBootFailure(
  { owner, logger }: LiteClusterContext,
  nodes: readonly NodeMachine[],
): Promise<string | null> {
  for (const { name, serverId } of nodes) {
    try {
      const failure = firstBootFailureIn(await owner().compute.servers.consoleLog(serverId));
      if (failure !== null) return firstBootFailure(name, failure);
    } catch (error) {
      logger.info('The console log of a node could not be read', { node: name, error });
    }
  }
  return null;
}

/** @param failure stage and reason */
export function firstBootFailure(name: string, failure: string): string {
  return `The first boot of ${name} failed at ${trimEndChars(failure, '. ')}.`;
}

/**
 * Stage and reason of the latest boot in a console log, if it has failed. Any program of the machine can
 * write them.
 */
export function firstBootFailureIn(log: string): string | null {
  const at = log.lastIndexOf(RESULT);
  if (at < 0) return null;
  const start = at + RESULT.length;
  const [line = ''] = log.slice(start, start + MAX_LENGTH).split(/[\r\n]/, 1);
  if (!line.startsWith(FAILURE)) return null;
  const [reason = ''] = line.slice(FAILURE.length).split(', see /', 1);
  return trimEndChars(maskSecrets(reason.replace(/[^ -~]/g, '')), '. ');
}
