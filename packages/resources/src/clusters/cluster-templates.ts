import { toTimestamp } from '@gateway/core';
import type { ClusterTemplateRecord } from '@gateway/openstack';
import { CachedList } from '../lists/cached-list.ts';
import { namesFrom } from '../lists/names.ts';
import type { ClusterTemplate } from './cluster-template-shape.ts';

export function presentClusterTemplate(template: ClusterTemplateRecord): ClusterTemplate {
  return {
    id: template.uuid,
    name: template.name,
    coe: template.coe,
    is_public: template.public,
    image_id: template.image_id,
    flavor_id: template.flavor_id,
    master_flavor_id: template.master_flavor_id,
    keypair: template.keypair_id,
    network_driver: template.network_driver,
    master_lb_enabled: template.master_lb_enabled,
    floating_ip_enabled: template.floating_ip_enabled,
    labels: template.labels,
    created_at: toTimestamp(template.created_at),
  };
}

/** The service also shows administrators hidden templates, and those of other projects. */
export const clusterTemplateList = new CachedList<ClusterTemplate[]>({
  name: 'clusterTemplates',
  varyBy: 'project',
  dependsOn: [],
  lifetime: 'choicesSeconds',
  async load({ openstack, reader }) {
    const templates = await openstack.containerInfra.clusterTemplates.list();
    return templates
      .filter((template) => template.public || template.project_id === reader.projectId)
      .filter(({ hidden }) => !hidden)
      .map(presentClusterTemplate);
  },
});

export const clusterTemplateNames = namesFrom(clusterTemplateList);
