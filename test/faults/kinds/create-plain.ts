import { acts, creationKind } from './creation.ts';

export const createPlain = creationKind({
  name: 'create plain',
  library: null,
  entries: {
    plan: [acts.routeRead],
    'dynamic-share': 'not taken',
    port: 'not taken',
    'share-access': 'not taken',
    'boot-volume': [acts.bootVolume],
    'upper-volume': 'not taken',
    'user-data': 'not taken',
    'additional-volumes': 'not taken',
    server: [acts.server],
    'attach-upper-volume': 'not taken',
    'floating-ip': [acts.floatingIp],
  },
  completed: { servers: 1, volumes: 1, ports: 1, attachments: 1, floating_ips: 1 },
});
