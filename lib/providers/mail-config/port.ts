/** What a domain publishes for mail programs, read from its own hosts. */
export interface MailConfig {
  /** `config-v1.1.xml`, from the host for it or a well-known place of the domain; null where neither has one. */
  autoconfig(address: string): Promise<string | null>
  /** The answer of an Autodiscover service that asks for no sign-in. */
  autodiscover(address: string): Promise<string | null>
}
