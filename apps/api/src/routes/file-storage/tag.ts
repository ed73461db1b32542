export const fileStorageTag = {
  name: 'file-storage',
  description: 'Shares of the shared file system service',
};
