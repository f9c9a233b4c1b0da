/** The settings for mail programs that a domain publishes on its own hosts. */
export interface MailConfig {
  /** `config-v1.1.xml`, from the host for it or the well-known path of the domain; null if neither has one. */
  autoconfig(address: string): Promise<string | null>
  /** The answer of an Autodiscover service that requires no sign-in. */
  autodiscover(address: string): Promise<string | null>
}
