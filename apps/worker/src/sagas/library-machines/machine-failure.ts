import { GatewayError, trimEndChars } from '@gateway/core';
import { maskSecrets } from '@gateway/platform';

interface MachineReport {
  stage: string;
  error?: string | null;
}

/**
 * Why a library could not be built or verified.
 *
 * @param reason a sentence without its first capital and full stop
 */
export function machineFailure(done: 'built' | 'verified', reason: string, code: string): GatewayError {
  const sentence = trimEndChars(reason, '. \t\r\n');
  return new GatewayError(502, code, `The library could not be ${done}: ${sentence}.`);
}

/** What a machine says about its failure; the output of its commands may show secrets. */
export function reportedReason(machine: string, { error, stage }: MachineReport): string {
  return `${machine} failed at stage ${stage}${error ? `: ${maskSecrets(error)}` : ''}`;
}
