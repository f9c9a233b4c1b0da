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

/** By its key, of this instance's environment: which cloud of Microsoft, and whether there is a sandbox. */
export type FindOrganization = (key: OrganizationKey) => OrganizationOAuth

/** Google's own address and Microsoft's, whatever a key's file says. */
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

/** What an administrator allows, in the words of the vendor's console. */
export const permissionsToAllow = (vendor: MailVendor): string[] => {
  if (vendor === 'google') return [...organizationEndpoint('google').needed_scopes]
  return vendor === 'microsoft' ? ['Mail.ReadWrite', 'Mail.Send'] : []
}

/** The servers that a mailbox there has, though its mail goes over the API; null: there is no sandbox any more. */
export function organizationServers(vendor: MailVendor): MailServers | null {
  if (vendor === 'sandbox') return sandboxServers()
  return vendor === 'google' ? google('api').servers : microsoftSettings('api').servers
}

/** An organization as its row holds it. */
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

/** Its key in plain; null where it cannot be unsealed. */
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
