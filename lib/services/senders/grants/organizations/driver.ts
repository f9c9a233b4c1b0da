import { z } from 'zod'
import { unseal } from '#lib/db/seal'
import { env } from '#lib/env'
import {
  createGoogleOrganization,
  createMicrosoftOrganization,
  createSandboxOrganization,
  type OrganizationEndpoint,
} from '#lib/providers/mail-oauth/organization'
import {
  MAIL_VENDORS,
  type MailServers,
  type MailVendor,
  type OrganizationKey,
  type OrganizationOAuth,
} from '#lib/providers/mail-oauth/port'
import { google, graphOrigin, microsoft } from '#lib/providers/mail-oauth/vendors'
import { microsoftSettings, sandboxServers } from '#lib/services/senders/grants/vendors'

/** Finds an organization's driver by its key and the environment, which determines Microsoft's cloud and whether there is a sandbox. */
export type FindOrganization = (key: OrganizationKey) => OrganizationOAuth

/** The fixed addresses of Google and Microsoft, whatever a key file says. */
export function organizationEndpoint(vendor: 'google' | 'microsoft', tenant = ''): OrganizationEndpoint {
  if (vendor === 'google') {
    const { endpoints, needed_scopes } = google('api')
    return { token_endpoint: endpoints.token_endpoint, needed_scopes }
  }
  const cloud = env().MAIL_MICROSOFT_CLOUD
  const { endpoints } = microsoft(tenant, cloud, 'api')
  return { token_endpoint: endpoints.token_endpoint, needed_scopes: [`${graphOrigin(cloud)}/.default`] }
}

export const findOrganization: FindOrganization = (key) => {
  if (key.vendor === 'google') return createGoogleOrganization(key, organizationEndpoint('google'))
  if (key.vendor === 'microsoft')
    return createMicrosoftOrganization(key, organizationEndpoint('microsoft', key.tenant_id))
  return createSandboxOrganization()
}

/** The permissions that an administrator grants, as named in the vendor's console. */
export const permissionsToAllow = (vendor: MailVendor): string[] => {
  if (vendor === 'google') return [...organizationEndpoint('google').needed_scopes]
  return vendor === 'microsoft' ? ['Mail.ReadWrite', 'Mail.Send'] : []
}

/** The servers of a mailbox there, although its mail uses the API; null: the sandbox no longer exists. */
export function organizationServers(vendor: MailVendor): MailServers | null {
  if (vendor === 'sandbox') return sandboxServers()
  return vendor === 'google' ? google('api').servers : microsoftSettings('api').servers
}

/** An organization as stored in its row. */
export type OrganizationRow = {
  organization_id: string
  vendor: string
  client_id: string
  account: string | null
  key_id: string | null
  tenant_id: string | null
  secret: string
}

export const readVendor = (vendor: string): MailVendor => z.enum(MAIL_VENDORS).parse(vendor)

/** The decrypted key; null if it cannot be unsealed. */
export function openKey(row: OrganizationRow): OrganizationKey | null {
  const vendor = readVendor(row.vendor)
  if (vendor === 'sandbox') return { vendor }
  try {
    const secret = unseal(row.secret, row.organization_id)
    const { client_id, account, key_id, tenant_id } = row
    return vendor === 'google'
      ? { vendor, account: account ?? '', key_id, private_key: secret }
      : { vendor, tenant_id: tenant_id ?? '', client_id, client_secret: secret }
  } catch {
    return null
  }
}
