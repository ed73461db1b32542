import type { Tag } from '../pipeline/endpoint.ts';

/** The tags of the endpoints for administrators, by what they administer. */
export const adminTags = {
  audit: { name: 'admin-audit', description: 'What administrators have changed' },
  clusters: { name: 'admin-clusters', description: 'Clusters of all projects' },
  fileStorage: { name: 'admin-file-storage', description: 'File storages of all projects, and libraries' },
  flavors: { name: 'admin-flavors', description: 'Flavors, and who may use them' },
  hosts: { name: 'admin-hosts', description: 'Hypervisors and their GPUs' },
  instances: { name: 'admin-instances', description: 'Instances, images and containers of all projects' },
  jobs: { name: 'admin-jobs', description: 'Jobs of all projects, their queues and leftovers' },
  networks: { name: 'admin-networks', description: 'Networks, routers and addresses of all projects' },
  overview: { name: 'admin-overview', description: 'The whole cloud: usage, services, topology' },
  projects: { name: 'admin-projects', description: 'Projects and domains' },
  quotas: { name: 'admin-quotas', description: 'What projects may use' },
  users: { name: 'admin-users', description: 'Users, groups and roles' },
  volumes: { name: 'admin-volumes', description: 'Volumes of all projects, and types of volumes' },
  webhooks: { name: 'admin-webhooks', description: 'Messages to URLs about what happens in all projects' },
} satisfies Record<string, Tag>;
