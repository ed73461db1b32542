export const imageRows = {
  filters: { project_id: ['owner'], visibility: ['visibility'], os_distro: ['os_distro'] },
} as const;
