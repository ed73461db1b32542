import { guestFiles } from '@gateway/cloud-init';

/** The scripts of nodes. */
export const guest = guestFiles(new URL('./guest/', import.meta.url));
