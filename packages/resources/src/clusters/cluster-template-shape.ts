import { flag, id, idOrEmpty, mapOf, type ShapeType, shape, text, timestamp } from '@gateway/core/shapes';

export const clusterTemplateShape = shape('ClusterTemplate', {
  id: id('cluster_template'),
  name: text('k8s-1.31'),
  coe: text('kubernetes').describe('The orchestrator.'),
  is_public: flag(),
  image_id: idOrEmpty('image').describe('Name or id.'),
  flavor_id: idOrEmpty('flavor').describe('Name or id; of the control nodes, `master_flavor_id`.'),
  master_flavor_id: idOrEmpty('master_flavor'),
  keypair: text('laptop').describe('The key pair of clusters that name none; empty if each names one.'),
  network_driver: text('calico'),
  master_lb_enabled: flag().describe('Whether a cluster may have several control nodes.'),
  floating_ip_enabled: flag(),
  labels: mapOf(text('v1.31.2'), { kube_tag: 'v1.31.2' }),
  created_at: timestamp().nullable(),
});

export type ClusterTemplate = ShapeType<typeof clusterTemplateShape>;
