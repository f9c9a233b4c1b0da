export type MailServer = { host: string; port: number; security: 'tls' | 'starttls' }

/** A provider's servers for outgoing and incoming mail, from its own help pages. */
export type MailProvider = {
  name: string
  /** Domains whose addresses are certainly hosted there; a company's own domain may be at any provider. */
  domains: string[]
  /** Suffixes of the MX host names for domains hosted there. */
  mx: string[]
  smtp: MailServer
  /** Null if incoming mail cannot be read with a password. */
  imap: MailServer | null
  /** Which password to use, or what does not work. */
  note: string
  /** The OAuth vendor with which it connects without a password; null: none. */
  vendor: 'google' | 'microsoft' | null
}

const tls = (host: string, port: number): MailServer => ({ host, port, security: 'tls' })

export const MAIL_PROVIDERS: MailProvider[] = [
  {
    name: 'Google',
    domains: ['gmail.com', 'googlemail.com'],
    mx: ['google.com', 'googlemail.com'],
    smtp: tls('smtp.gmail.com', 465),
    imap: tls('imap.gmail.com', 993),
    note: 'Google needs an app password. Create one in your Google account under Security; 2-Step Verification must be on. In Workspace, an administrator can turn app passwords off.',
    vendor: 'google',
  },
  {
    name: 'Microsoft 365',
    domains: ['outlook.com', 'hotmail.com', 'live.com', 'msn.com'],
    mx: ['mail.protection.outlook.com', 'olc.protection.outlook.com', 'mx.microsoft'],
    smtp: { host: 'smtp.office365.com', port: 587, security: 'starttls' },
    imap: null,
    note: 'Microsoft accepts a password for sending only where an administrator allows it (SMTP AUTH), and never for reading: replies and bounces are not detected.',
    vendor: 'microsoft',
  },
  {
    name: 'Yahoo',
    domains: ['yahoo.com', 'ymail.com', 'rocketmail.com'],
    mx: ['yahoodns.net'],
    smtp: tls('smtp.mail.yahoo.com', 465),
    imap: tls('imap.mail.yahoo.com', 993),
    note: 'Yahoo needs an app password. Create one in your Yahoo account under Security.',
    vendor: null,
  },
  {
    name: 'iCloud',
    domains: ['icloud.com', 'me.com', 'mac.com'],
    mx: ['mail.icloud.com'],
    smtp: { host: 'smtp.mail.me.com', port: 587, security: 'starttls' },
    imap: tls('imap.mail.me.com', 993),
    note: 'Apple needs an app-specific password. Create one at account.apple.com.',
    vendor: null,
  },
  {
    name: 'Zoho',
    domains: ['zoho.com', 'zohomail.com'],
    mx: ['zoho.com', 'zoho.eu', 'zoho.in'],
    smtp: tls('smtp.zoho.com', 465),
    imap: tls('imap.zoho.com', 993),
    note: 'Turn on IMAP in Zoho’s settings first. Servers of an organization begin with smtppro and imappro; in Europe they end in zoho.eu.',
    vendor: null,
  },
  {
    name: 'Fastmail',
    domains: ['fastmail.com', 'fastmail.fm'],
    mx: ['messagingengine.com'],
    smtp: tls('smtp.fastmail.com', 465),
    imap: tls('imap.fastmail.com', 993),
    note: 'Fastmail needs an app password. Create one in its settings under Privacy & Security.',
    vendor: null,
  },
  {
    name: 'GMX',
    domains: ['gmx.com', 'gmx.net', 'gmx.de', 'gmx.at', 'gmx.ch'],
    mx: ['gmx.net'],
    smtp: { host: 'mail.gmx.net', port: 587, security: 'starttls' },
    imap: tls('imap.gmx.net', 993),
    note: 'Turn on access for mail programs in the GMX settings first.',
    vendor: null,
  },
  {
    name: 'IONOS',
    domains: [],
    mx: ['ionos.com', 'ionos.de', 'kundenserver.de', 'perfora.net'],
    smtp: tls('smtp.ionos.com', 465),
    imap: tls('imap.ionos.com', 993),
    note: 'Use the mailbox password, not the customer account password.',
    vendor: null,
  },
]

/** The provider that certainly hosts an address. */
export function findMailProvider(address: string): MailProvider | null {
  const domain = address.split('@')[1]?.trim().toLowerCase()
  return MAIL_PROVIDERS.find(({ domains }) => domain && domains.includes(domain)) ?? null
}

/** The provider that receives a domain's mail, by its best MX host; a backup host may belong to anybody. */
export function findProviderByMx(
  records: readonly { priority: number; exchange: string }[],
): MailProvider | null {
  const [best] = records.toSorted((one, other) => one.priority - other.priority)
  if (!best) return null
  return (
    MAIL_PROVIDERS.find(({ mx }) =>
      mx.some((end) => best.exchange === end || best.exchange.endsWith(`.${end}`)),
    ) ?? null
  )
}
