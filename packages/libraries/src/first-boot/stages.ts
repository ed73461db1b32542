/** The stages of an instance's first boot that its scripts report, in their order. */
export const firstBootStages = [
  'start',
  'tools',
  'libraries',
  'layers',
  'upper_disk',
  'workspace',
  'gpu',
  'done',
] as const;

export type FirstBootStage = (typeof firstBootStages)[number];

/** The name of a stage. Machines with other versions of the scripts may report other stages. */
export const STAGE_PATTERN = /^[a-z_]{1,32}$/;

export function isFirstBootStage(stage: string): stage is FirstBootStage {
  return (firstBootStages as readonly string[]).includes(stage);
}
