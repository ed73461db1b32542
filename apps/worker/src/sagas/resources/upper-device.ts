/** The device name of the upper volume, which is the second disk. */
export const UPPER_DEVICE = '/dev/vdb';
