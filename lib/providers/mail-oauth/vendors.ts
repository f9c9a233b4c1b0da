import type { MailRoute, MailServers, MailVendor } from '#lib/providers/mail-oauth/port'

/** A vendor's endpoints and scopes, from its documentation. */
export type VendorSettings = {
  vendor: MailVendor
  route: MailRoute
  endpoints: {
    issuer: string
    authorization_endpoint: string
    token_endpoint: string
    revocation_endpoint?: string
  }
  needed_scopes: string[]
  /** Further scopes: the account's identity, and access while the owner is away. */
  other_scopes: string[]
  parameters: Record<string, string>
  servers: MailServers
}

export const GOOGLE: VendorSettings = {
  vendor: 'google',
  route: 'smtp',
  endpoints: {
    issuer: 'https://accounts.google.com',
    authorization_endpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
    token_endpoint: 'https://oauth2.googleapis.com/token',
    revocation_endpoint: 'https://oauth2.googleapis.com/revoke',
  },
  needed_scopes: ['https://mail.google.com/'],
  other_scopes: ['openid', 'email', 'profile'],
  // Google returns a refresh token only with both.
  parameters: { access_type: 'offline', prompt: 'consent' },
  servers: {
    smtp: { host: 'smtp.gmail.com', port: 465, security: 'tls' },
    imap: { host: 'imap.gmail.com', port: 993, security: 'tls' },
  },
}

/** Google's API takes a narrower scope than its SMTP and IMAP servers: everything except permanent deletion. */
export const google = (route: MailRoute): VendorSettings =>
  route === 'smtp'
    ? GOOGLE
    : { ...GOOGLE, route, needed_scopes: ['https://www.googleapis.com/auth/gmail.modify'] }

/** Microsoft's clouds are separate: each has its own sign-in, resource and servers. */
const CLOUDS = {
  global: {
    login: 'https://login.microsoftonline.com',
    resource: 'https://outlook.office.com',
    graph: 'https://graph.microsoft.com',
    uploads: ['https://outlook.office.com', 'https://outlook.office365.com'],
    smtp: 'smtp.office365.com',
    imap: 'outlook.office365.com',
  },
  us: {
    login: 'https://login.microsoftonline.us',
    resource: 'https://outlook.office365.us',
    graph: 'https://graph.microsoft.us',
    uploads: ['https://outlook.office365.us'],
    smtp: 'smtp.office365.us',
    imap: 'outlook.office365.us',
  },
  dod: {
    login: 'https://login.microsoftonline.us',
    resource: 'https://outlook-dod.office365.us',
    graph: 'https://dod-graph.microsoft.us',
    uploads: ['https://outlook-dod.office365.us'],
    smtp: 'outlook-dod.office365.us',
    imap: 'outlook-dod.office365.us',
  },
  china: {
    login: 'https://login.partner.microsoftonline.cn',
    resource: 'https://partner.outlook.cn',
    graph: 'https://microsoftgraph.chinacloudapi.cn',
    uploads: ['https://partner.outlook.cn'],
    smtp: 'smtp.partner.outlook.cn',
    imap: 'partner.outlook.cn',
  },
} as const
export const MICROSOFT_CLOUDS = ['global', 'us', 'dod', 'china'] as const
export type MicrosoftCloud = (typeof MICROSOFT_CLOUDS)[number]

/** The API origins of Google and of Microsoft. */
export const GMAIL_ORIGIN = 'https://gmail.googleapis.com'
export const graphOrigin = (cloud: MicrosoftCloud): string => CLOUDS[cloud].graph

/** The hosts for large uploads: Google's own host or its older one, and the mail servers of Microsoft's cloud. */
export const GMAIL_UPLOADS: readonly string[] = ['https://www.googleapis.com']
export const graphUploads = (cloud: MicrosoftCloud): readonly string[] => CLOUDS[cloud].uploads

export function microsoft(tenant: string, cloud: MicrosoftCloud, route: MailRoute = 'smtp'): VendorSettings {
  const { login, resource, graph, smtp, imap } = CLOUDS[cloud]
  return {
    vendor: 'microsoft',
    route,
    endpoints: {
      // {tenantid} is replaced by the tenant of the account that signs in.
      issuer: `${login}/{tenantid}/v2.0`,
      authorization_endpoint: `${login}/${tenant}/oauth2/v2.0/authorize`,
      token_endpoint: `${login}/${tenant}/oauth2/v2.0/token`,
    },
    needed_scopes:
      route === 'smtp'
        ? [`${resource}/IMAP.AccessAsUser.All`, `${resource}/SMTP.Send`]
        : [`${graph}/Mail.ReadWrite`, `${graph}/Mail.Send`],
    other_scopes: ['openid', 'email', 'profile', 'offline_access'],
    parameters: { prompt: 'select_account' },
    servers: {
      smtp: { host: smtp, port: 587, security: 'starttls' },
      imap: { host: imap, port: 993, security: 'tls' },
    },
  }
}

/** The page on which an administrator consents for the whole organization. */
export function adminConsentUrl(
  { endpoints, needed_scopes }: VendorSettings,
  clientId: string,
  redirectUri: string,
): string {
  const url = new URL(
    endpoints.authorization_endpoint.replace('/oauth2/v2.0/authorize', '/v2.0/adminconsent'),
  )
  url.search = new URLSearchParams({
    client_id: clientId,
    scope: needed_scopes.join(' '),
    redirect_uri: redirectUri,
  }).toString()
  return url.href
}
