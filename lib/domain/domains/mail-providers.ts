type Server = { host: string; port: number; security: 'tls' | 'starttls' }

/** Where a provider's mail goes out and comes in, as its own help pages say. */
export type MailProvider = {
  name: string
  /** Of addresses that are surely there; a company's own domain may be at any of them. */
  domains: string[]
  smtp: Server
  /** Null where a password opens no incoming mail. */
  imap: Server | null
  /** What the password is, or what does not work. */
  note: string
}

const tls = (host: string, port: number): Server => ({ host, port, security: 'tls' })
const APP_PASSWORD = 'asks for an app password, made in its security settings, in place of the usual one.'

export const MAIL_PROVIDERS: MailProvider[] = [
  {
    name: 'Gmail or Google Workspace',
    domains: ['gmail.com', 'googlemail.com'],
    smtp: tls('smtp.gmail.com', 465),
    imap: tls('imap.gmail.com', 993),
    note: `Google ${APP_PASSWORD} That needs 2-step verification, and in Workspace the leave of the administrator.`,
  },
  {
    name: 'Microsoft 365',
    domains: [],
    smtp: { host: 'smtp.office365.com', port: 587, security: 'starttls' },
    imap: null,
    note: 'Microsoft takes a password for outgoing mail only where the administrator allows it (SMTP AUTH), and for incoming mail no more: replies and bounces are not noticed.',
  },
  {
    name: 'Yahoo',
    domains: ['yahoo.com', 'ymail.com', 'rocketmail.com'],
    smtp: tls('smtp.mail.yahoo.com', 465),
    imap: tls('imap.mail.yahoo.com', 993),
    note: `Yahoo ${APP_PASSWORD}`,
  },
  {
    name: 'iCloud',
    domains: ['icloud.com', 'me.com', 'mac.com'],
    smtp: { host: 'smtp.mail.me.com', port: 587, security: 'starttls' },
    imap: tls('imap.mail.me.com', 993),
    note: `Apple ${APP_PASSWORD}`,
  },
  {
    name: 'Zoho',
    domains: ['zoho.com', 'zohomail.com'],
    smtp: tls('smtp.zoho.com', 465),
    imap: tls('imap.zoho.com', 993),
    note: 'IMAP must be switched on in Zoho’s settings. An organisation’s servers begin with smtppro and imappro, and those in Europe end in zoho.eu.',
  },
  {
    name: 'Fastmail',
    domains: ['fastmail.com', 'fastmail.fm'],
    smtp: tls('smtp.fastmail.com', 465),
    imap: tls('imap.fastmail.com', 993),
    note: `Fastmail ${APP_PASSWORD}`,
  },
  {
    name: 'GMX',
    domains: ['gmx.com', 'gmx.net', 'gmx.de', 'gmx.at', 'gmx.ch'],
    smtp: { host: 'mail.gmx.net', port: 587, security: 'starttls' },
    imap: tls('imap.gmx.net', 993),
    note: 'Mail programs must be allowed in GMX’s settings first.',
  },
  {
    name: 'IONOS',
    domains: [],
    smtp: tls('smtp.ionos.com', 465),
    imap: tls('imap.ionos.com', 993),
    note: 'The password of the mailbox, not that of the customer account.',
  },
]

/** The provider that an address is surely at. */
export function findMailProvider(address: string): MailProvider | null {
  const domain = address.split('@')[1]?.trim().toLowerCase()
  return MAIL_PROVIDERS.find(({ domains }) => domain && domains.includes(domain)) ?? null
}
