/** Settings with which every list is read from the cloud for each request. */
export const coldCaches = {
  flavors_seconds: 0,
  images_seconds: 0,
  instances_seconds: 0,
  limits_seconds: 0,
  volumes_seconds: 0,
  file_storages_seconds: 0,
  libraries_seconds: 0,
  networks_seconds: 0,
  security_groups_seconds: 0,
  choices_seconds: 0,
  admin_seconds: 0,
  names_seconds: 0,
  transition_seconds: 0,
};
