import { ReadSubscription } from '#lib/contracts/billing/billing'
import { ListCampaigns } from '#lib/contracts/campaigns/campaigns'
import { ListReportLinks } from '#lib/contracts/campaigns/report-links'
import { ListWebhooks } from '#lib/contracts/telling/webhooks'
import { ReadAgency } from '#lib/contracts/workspaces/agency'
import { ListApiKeys } from '#lib/contracts/workspaces/api-keys'
import { ListAuditEvents } from '#lib/contracts/workspaces/audit'
import { UpdateBranding } from '#lib/contracts/workspaces/branding'
import { ReadContactPolicy } from '#lib/contracts/workspaces/contact-policy'
import { type Judged, roleRefusal } from '#lib/contracts/workspaces/roles'
import type { SignedIn } from '#lib/http/session'

/** Pages that not every role may open, each with the operation whose role it requires. */
const GUARDED: [href: string, shows: Judged][] = [
  ['/api-keys', ListApiKeys],
  ['/webhooks', ListWebhooks],
  ['/settings/members', ListCampaigns],
  ['/settings/reports', ListReportLinks],
  ['/settings/contact-policy', ReadContactPolicy],
  ['/settings/branding', UpdateBranding],
  ['/settings/agency', ReadAgency],
  ['/settings/billing', ReadSubscription],
  ['/settings/notifications', ListCampaigns],
  ['/settings/audit', ListAuditEvents],
]

/** The pages that navigation, tabs and command menu leave out for a role: they would only say whom to ask. */
export const closedPages = (role: SignedIn['role']): string[] =>
  GUARDED.flatMap(([href, shows]) => (roleRefusal(role, shows) ? href : []))
