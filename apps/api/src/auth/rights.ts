/** With the rights of the callers of the api come those of the readers of lists, which workers make, too. */
export { requireRight } from '@gateway/dependencies';
