/** The path for reports of instances with libraries, below the public URL of the api. */
export const FIRST_BOOT_CALLBACK_PATH = '/api/instances/first-boot/callback';
