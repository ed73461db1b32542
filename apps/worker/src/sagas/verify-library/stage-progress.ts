import type { VerifierReport } from '@gateway/libraries';

const STAGES: Record<string, { progress: number; message: string }> = {
  start: { progress: 32, message: 'The verifier has started.' },
  tools: { progress: 35, message: 'The verifier installs the required programs.' },
  libraries: { progress: 38, message: 'The verifier mounts the file storage.' },
  layers: { progress: 40, message: 'The verifier mounts the file storage.' },
  upper_disk: { progress: 45, message: 'The verifier prepares its disk.' },
  workspace: { progress: 48, message: 'The verifier combines the layers.' },
  imports: { progress: 50, message: 'The verifier imports the packages.' },
  done: { progress: 85, message: 'The packages have been imported.' },
};

/** The progress of a verification at the reported stage. An unknown stage has the progress of the first. */
export function stageProgress({ stage }: Pick<VerifierReport, 'stage'>): {
  progress: number;
  message: string;
} {
  return STAGES[stage] ?? { progress: 32, message: `The verifier is working (${stage}).` };
}
