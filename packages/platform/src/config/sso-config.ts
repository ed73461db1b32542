/** Single sign-on through the web pages of the identity service. */
export interface SsoConfig {
  /** URL of the identity service for browsers; null if it is `identity.url`. */
  url: string | null;
  /** What the site offers. Without any, there is no single sign-on. */
  providers: SsoProvider[];
  /** The pages to which browsers return. A page is chosen by its origin, so each origin has one. */
  dashboards: string[];
}

export interface SsoProvider {
  /** In addresses of the gateway. */
  id: string;
  /** Shown to users. */
  name: string;
  /** Its id in the identity service; null if the service finds it by the protocol alone. */
  identityProvider: string | null;
  /** The id of the protocol in the identity service. */
  protocol: string;
}
