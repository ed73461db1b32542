/** How to reach the API server of a cluster, and how the two sides authenticate each other. */
export interface ClusterConnection {
  /** `https://192.0.2.10:6443` */
  server: string;
  credentials: ClusterCredentials;
  /** The time limit of one request in milliseconds, from the connection to the end of the body. */
  requestTimeoutMs: number;
  /** The host name or address that the server's certificate must have; the host of `server` by default. */
  tlsServerName?: string;
  /** Networks in CIDR notation that the server must not be in; none by default. */
  neverContacted?: readonly string[];
  /** Aborts all requests, which then throw the signal's reason. */
  signal?: AbortSignal;
}

/** All values are PEM, except the token. */
export type ClusterCredentials = ClientCertificate | BearerToken;

export interface ClientCertificate {
  /** The only authorities whose server certificates are trusted. */
  ca: string;
  clientCertificate: string;
  clientKey: string;
}

interface BearerToken {
  ca: string;
  token: string;
}
