/** Types are compared without case, blanks, hyphens and underscores. */
export function gpuTypeKey(type: string): string {
  return type.toLowerCase().replace(/[\s_-]/g, '');
}
