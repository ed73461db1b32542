/** What the command line tools of the cloud need to know. No secret. */
export interface CloudAccess {
  authUrl: string;
  region: string;
  userName: string;
  userDomainName: string;
  projectId: string;
  projectName: string;
  projectDomainName: string;
  /** In place of user and project. */
  credentialId?: string;
}
