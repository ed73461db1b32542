/** The subject of which a share has one verification at a time. */
export function verificationSubject(fileStorageId: string): string {
  return `verify:${fileStorageId}`;
}
