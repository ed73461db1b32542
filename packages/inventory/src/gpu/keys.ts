/** In the slot of the jobs (`jobKeys`), because one script changes a reservation and the record of a job. */
export const gpuKeys = {
  /** A hash of quotas by type: those of projects without a quota of their own. */
  defaults: '{jobs}:gpu-defaults',
  /** A hash of quotas by type. */
  quotas: (projectId: string) => `{jobs}:gpu-quotas:${projectId}`,
  /**
   * A hash: the GPUs that a project's unfinished jobs have reserved, by job; and the last job whose
   * reservation ended.
   */
  reserved: (projectId: string) => `{jobs}:gpu-reserved:${projectId}`,
};
