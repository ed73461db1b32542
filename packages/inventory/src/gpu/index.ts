export { countGpus, type GpuAttributes } from './flavor-gpus.ts';
export * from './gpu-devices.ts';
export * from './gpu-quota-store.ts';
export * from './gpu-request.ts';
export * from './gpu-type-key.ts';
export { parseProviderName } from './pci-address.ts';
export * from './server-gpus.ts';
