/** Which server to talk to, how to trust it, and as whom. Credentials change while we run; nothing else does. */
export interface Target {
  readonly server: URL;
  readonly trust: Trust;
  /** A forward proxy for the connection, from `proxy-url`. */
  readonly proxy?: URL;
  /** The namespace of the context; "default" when it names none. */
  readonly namespace: string;
  readonly impersonate?: Impersonation;
  readonly credentials: CredentialSource;
}

export interface Trust {
  /** PEM. Absent: the certificates the system trusts. */
  readonly ca?: string;
  readonly serverName?: string;
  readonly skipVerify?: boolean;
}

export interface Impersonation {
  readonly user: string;
  readonly groups?: readonly string[];
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export interface CredentialSource {
  /** What to send now; cheap to call before every request, because it reads again only what may have changed. */
  current(): Promise<Credentials>;
  /**
   * The server answered 401: what was cached is no good any more. Answers whether asking again can help. Newer
   * credentials than the refused ones are kept, so that many late answers to old ones do not start many logins.
   */
  forget(refused?: Credentials): boolean;
}

export interface Credentials {
  /** Without the word Bearer. */
  readonly token?: string;
  readonly basic?: { readonly user: string; readonly password: string };
  /** PEM, both. A change needs a new connection. */
  readonly clientCertificate?: { readonly certificate: string; readonly key: string };
}
