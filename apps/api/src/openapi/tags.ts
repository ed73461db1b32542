/** Every tag of the interface; the document lists those in use. */
export const tagDescriptions: Record<string, string> = {
  auth: 'Log-in, scope and session',
  profile: "The caller's own account",
  images: 'Images to boot from',
  flavors: 'Sizes of instances',
  instances: 'Virtual machines',
  keypairs: 'Key pairs for ssh',
  admin: 'What administrators do',
  'file-storage-callback': 'Reports of machines that build libraries',
  jobs: 'Long operations and their progress',
  site: 'Configuration of the site',
  health: 'Health and metrics of this process',
  lite: 'Clusters made directly on virtual machines',
  'lite-health': 'Health of these clusters',
  'lite-callback': 'Reports of their control nodes',
};
