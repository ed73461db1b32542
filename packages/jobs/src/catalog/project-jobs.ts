import { CLEANUP, jobType } from './job-type.ts';
import type { ProgressMessage } from './progress-message.ts';

/** The removal of a project with everything in it, requested by an administrator. */
export interface ProjectPurge {
  /** The project that is removed. */
  purgedProjectId: string;
  /** The types of resources that the cloud has, in the order of their removal. */
  types: string[];
}

export const purgeProgress = {
  PROJECT_DISABLING: 2,
  RESOURCES_LISTING: 5,
  LOAD_BALANCERS_REMOVING: 10,
  CLUSTERS_REMOVING: 15,
  CONTAINERS_REMOVING: 20,
  INSTANCES_REMOVING: 25,
  SHARE_SNAPSHOTS_REMOVING: 30,
  FILE_STORAGES_REMOVING: 35,
  SHARE_NETWORKS_REMOVING: 40,
  SECURITY_SERVICES_REMOVING: 42,
  BACKUPS_REMOVING: 45,
  SNAPSHOTS_REMOVING: 50,
  VOLUMES_REMOVING: 55,
  FLOATING_IPS_REMOVING: 60,
  ROUTERS_REMOVING: 65,
  PORTS_REMOVING: 70,
  NETWORKS_REMOVING: 75,
  SECURITY_GROUPS_REMOVING: 80,
  EMPTINESS_CHECKING: 90,
  PROJECT_REMOVING: 95,
  COMPLETED: 100,
  FAILED: -1,
} as const;

/** One event of a purge. */
export interface PurgeMessage extends ProgressMessage {
  step: keyof typeof purgeProgress;
  purged_project_id: string;
  /** At most what is left of the listed resources, by type; null before the list. */
  remaining: Record<string, number> | null;
  error: string | null;
}

export const projectJobs = {
  'project.purge': jobType<ProjectPurge, PurgeMessage>({ ...CLEANUP, resourceType: 'project' }),
};
