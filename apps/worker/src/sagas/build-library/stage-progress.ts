import type { BuilderReport } from '@gateway/libraries';

const STAGES: Record<string, { progress: number; message: string }> = {
  start: { progress: 32, message: 'The builder has started.' },
  tools: { progress: 35, message: 'The builder installs the required programs.' },
  share: { progress: 38, message: 'The builder mounts the share.' },
  commands: { progress: 42, message: 'The builder runs the commands of the catalogue.' },
  packages: { progress: 50, message: 'The builder installs the packages.' },
  manifest: { progress: 80, message: 'The builder records the contents of the share.' },
  done: { progress: 85, message: 'The library is installed.' },
};

/** The progress of a build at the reported stage. An unknown stage has the progress of the first. */
export function stageProgress({ stage }: Pick<BuilderReport, 'stage'>): {
  progress: number;
  message: string;
} {
  return STAGES[stage] ?? { progress: 32, message: `The builder is working (${stage}).` };
}
