export const fileStorageCallbackTag = {
  name: 'file-storage-callback',
  description: 'Reports of machines that build and verify libraries',
};
