import { acts, creationKind } from './creation.ts';

export const createPrebuiltNfs = creationKind({
  name: 'create prebuilt nfs',
  library: 'nfs',
  isThorough: true,
  entries: {
    plan: [acts.imageRead],
    'dynamic-share': 'not taken',
    port: [acts.port],
    'share-access': [acts.accessRule],
    'boot-volume': [acts.bootVolume],
    'upper-volume': [acts.upperVolume],
    'user-data': [acts.exportLocations],
    server: [acts.server],
    'attach-upper-volume': [acts.attachment],
    'floating-ip': [acts.floatingIp],
  },
  completed: { servers: 1, volumes: 2, ports: 1, attachments: 2, floating_ips: 1, access_rules: 1 },
});
