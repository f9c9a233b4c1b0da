import { organizationalDomain } from '#lib/domain/domains/domain-name'

export type MailHost = {
  name: string
  /** Matches the server to which mailboxes submit their mail. */
  smtp: RegExp
  /** The SPF mechanism that the provider's documentation asks for. */
  spf: string
  /** Where the domain's mail goes if the provider also receives it. */
  mx: ((domain: string) => string) | null
  /** The recipient provider that it belongs to, if it is one of the large ones. */
  provider?: 'google' | 'microsoft'
}

/** Providers by the name of their SMTP server. Their servers have reverse names and TLS; SPF needs their include. */
export const MAIL_HOSTS: MailHost[] = [
  {
    name: 'Google Workspace',
    smtp: /(^|\.)(gmail|google|googlemail)\.com$/,
    spf: 'include:_spf.google.com',
    mx: () => '1 smtp.google.com',
    provider: 'google',
  },
  {
    name: 'Microsoft 365',
    smtp: /(^|\.)(office365|outlook)\.com$/,
    spf: 'include:spf.protection.outlook.com',
    mx: (domain) => `0 ${domain.replaceAll('.', '-')}.mail.protection.outlook.com`,
    provider: 'microsoft',
  },
  { name: 'Amazon SES', smtp: /^email-smtp\..*\.amazonaws\.com$/, spf: 'include:amazonses.com', mx: null },
  { name: 'SendGrid', smtp: /(^|\.)sendgrid\.net$/, spf: 'include:sendgrid.net', mx: null },
  { name: 'Mailgun', smtp: /(^|\.)mailgun\.org$/, spf: 'include:mailgun.org', mx: null },
  { name: 'Postmark', smtp: /(^|\.)postmarkapp\.com$/, spf: 'include:spf.mtasv.net', mx: null },
  { name: 'Mailjet', smtp: /(^|\.)mailjet\.com$/, spf: 'include:spf.mailjet.com', mx: null },
  { name: 'Brevo', smtp: /(^|\.)(brevo|sendinblue)\.com$/, spf: 'include:spf.brevo.com', mx: null },
  { name: 'Zoho', smtp: /(^|\.)zoho\.(com|eu|in)$/, spf: 'include:zohomail.com', mx: () => '10 mx.zoho.com' },
  {
    name: 'Fastmail',
    smtp: /(^|\.)fastmail\.com$/,
    spf: 'include:spf.messagingengine.com',
    mx: () => '10 in1-smtp.messagingengine.com',
  },
  {
    name: 'Proton',
    smtp: /(^|\.)protonmail\.ch$/,
    spf: 'include:_spf.protonmail.ch',
    mx: () => '10 mail.protonmail.ch',
  },
  {
    name: 'mailbox.org',
    smtp: /(^|\.)mailbox\.org$/,
    spf: 'include:mailbox.org',
    mx: () => '10 mxext1.mailbox.org',
  },
  {
    name: 'iCloud',
    smtp: /(^|\.)mail\.me\.com$/,
    spf: 'include:icloud.com',
    mx: () => '10 mx01.mail.icloud.com',
  },
]

export const findMailHost = (smtpHost: string): MailHost | null =>
  MAIL_HOSTS.find(({ smtp }) => smtp.test(smtpHost.toLowerCase())) ?? null

/** The SPF mechanism for a server: its provider's include, or for one's own server its name or address. */
export function mechanismFor(smtpHost: string): string {
  const host = smtpHost.toLowerCase()
  if (/^(\d+\.){3}\d+$/.test(host)) return `ip4:${host}`
  if (host.includes(':')) return `ip6:${host}`
  return findMailHost(host)?.spf ?? `a:${host}`
}

/** Whether an include covers a server, judged by its name: `include:spf.example.net` and `smtp.example.net` belong together. */
export function includeCovers(include: string, smtpHost: string): boolean {
  const needed = findMailHost(smtpHost)?.spf
  const name = include.toLowerCase()
  if (needed) return needed === `include:${name}`
  return organizationalDomain(name) === organizationalDomain(smtpHost.toLowerCase())
}
