import { NOBODY } from '../actions/rule.ts';
import { allProjectNames } from '../identity/projects.ts';
import { CachedList } from '../lists/cached-list.ts';
import { addNames } from '../lists/names.ts';
import type { AdminClusterRow } from './admin-cluster-shape.ts';
import { clusterTemplateNames } from './cluster-templates.ts';
import { presentManagedCluster } from './managed-clusters.ts';

/** The managed clusters of all projects, which the service lists for administrators. */
export const allManagedClusterList = new CachedList<AdminClusterRow[]>({
  name: 'allManagedClusters',
  varyBy: 'nothing',
  dependsOn: ['cluster', 'project'],
  lifetime: 'adminSeconds',
  rowsWithStates: (clusters) => clusters,
  async load(sources) {
    const clusters = await sources.openstack.containerInfra.clusters.list();
    const rows = clusters.map((cluster) => ({
      ...presentManagedCluster(cluster, NOBODY),
      project_id: cluster.project_id,
      project_name: null,
    }));
    return addNames<AdminClusterRow>(sources, rows, {
      cluster_template_id: clusterTemplateNames,
      project_id: allProjectNames,
    });
  },
});
