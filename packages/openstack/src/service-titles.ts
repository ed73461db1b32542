import type { ServiceName } from '@gateway/platform';

/** Names of the services in messages for API users. */
export const serviceTitles: Record<ServiceName, string> = {
  identity: 'identity',
  compute: 'compute',
  image: 'image',
  blockStorage: 'block storage',
  network: 'network',
  sharedFileSystem: 'shared file system',
  loadBalancer: 'load balancer',
  containerInfra: 'container infrastructure',
  container: 'container',
  placement: 'placement',
  orchestration: 'orchestration',
  keyManager: 'key manager',
};
