import { db, pool } from '#lib/db/client'
import { createImapProvider } from '#lib/providers/inbox/imap'
import { createGmailAliases } from '#lib/providers/mail-api/gmail/aliases'
import { createGmailInbox } from '#lib/providers/mail-api/gmail/read'
import { createGmailProvider } from '#lib/providers/mail-api/gmail/send'
import { createGmailWatcher } from '#lib/providers/mail-api/gmail/watch'
import { createGraphAliases } from '#lib/providers/mail-api/graph/aliases'
import { createGraphInbox } from '#lib/providers/mail-api/graph/read'
import { createGraphProvider } from '#lib/providers/mail-api/graph/send'
import { createGraphWatcher } from '#lib/providers/mail-api/graph/subscription'
import { routedInbox, routedMail } from '#lib/providers/mail-api/routed'
import { pollInboxes } from '#lib/services/inbox/mailboxes/poll'
import { createSentFinder } from '#lib/services/inbox/sent/find-sent'
import type { Vendors } from '#lib/services/senders/grants/access-token'
import type { Watchers } from '#lib/services/senders/grants/watches'
import { dispatchDue } from '#lib/services/sending/run'
import { launched, MONDAY, minutes, OPEN } from '#tests/support/scenes/launched'
import { aProvider } from '#tests/support/scenes/smtp'
import { aGmailServer } from '#tests/support/servers/gmail'
import { aGraphServer } from '#tests/support/servers/graph'
import type { MailApiServerOptions } from '#tests/support/servers/mail-api'
import { aGrant, anOAuthServer } from '#tests/support/servers/oauth'
import type { OrganizationServer } from '#tests/support/servers/organization'

const closers: (() => Promise<unknown>)[] = []
export async function closeMailApis(): Promise<void> {
  await Promise.all(closers.splice(0).map((close) => close()))
  await db.campaign.deleteMany()
  await db.mailbox.deleteMany()
}

const ONE = { steps_config: [OPEN.steps_config[0]] }
/** The organization whose key obtains the tokens, instead of a user who signed in. */
type Organization = { server: OrganizationServer; connect: (workspace_id: string) => Promise<string> }

const policy = { allow_private_hosts: true }

/** A campaign whose mailbox uses the API of its vendor. */
export async function begunOverApi(
  vendor: 'google' | 'microsoft',
  {
    organization,
    isTold,
    ...options
  }: MailApiServerOptions & { organization?: Organization; isTold?: true } = {},
  leads = 2,
  campaign: Record<string, unknown> = ONE,
) {
  let now = MONDAY
  const clock = () => now
  const oauth = await anOAuthServer({ vendor })
  const { access } = organization?.server.live ?? oauth.live
  const vendors: Vendors = organization?.server.vendors ?? oauth.vendors
  const takesToken = (token: string) => access.has(token)
  const serve = vendor === 'google' ? aGmailServer : aGraphServer
  const made = await launched(campaign, leads)
  const user = organization && { user: made.mailbox.address }
  const server = await serve({ takesToken, clock, ...user, ...options })
  closers.push(oauth.close, server.close)
  const { mailbox_id, workspace_id } = made.mailbox
  const imap = { host: '127.0.0.1', port: 1, security: 'none', username: 'ana@company.test' }
  await db.mailbox.update({ where: { mailbox_id }, data: { imap, created_at: MONDAY } })
  await aGrant({ mailbox_id, workspace_id }, oauth, {
    access_token: 'first',
    access_expires_at: minutes(100_000),
  })
  const ofKey = organization && {
    organization_id: await organization.connect(workspace_id),
    refresh_token: null,
    access_token: null,
    subject: made.mailbox.address,
  }
  await db.mailboxGrant.update({ where: { mailbox_id }, data: { route: 'api', ...ofKey } })
  const how = { origin: server.origin, outbound: { policy }, clock }
  const mail = routedMail(aProvider(), { gmail: createGmailProvider(how), graph: createGraphProvider(how) })
  const inboxes = { gmail: createGmailInbox(how), graph: createGraphInbox(how) }
  const inbox = routedInbox(createImapProvider({ policy }), inboxes)
  const watchers: Watchers = {
    gmail: createGmailWatcher({ ...how, topic: 'projects/opener/topics/mail' }),
    graph: createGraphWatcher({ ...how, notify_url: 'https://opener.test/api/mail/microsoft' }),
  }
  const aliases = { gmail: createGmailAliases(how), graph: createGraphAliases(how) }
  const shared = { pool: pool(), imap: inbox, clock, vendors, aliases, ...(isTold && { watchers }) }
  const find = createSentFinder({ ...shared, delays_ms: [0, 0] })
  const send = (at = MONDAY) => {
    now = at
    return dispatchDue({ mail, clock, find, vendors })
  }
  const poll = (at = minutes(10)) => {
    now = at
    return pollInboxes({ ...shared, until: minutes(100_000), mailbox_ids: [mailbox_id] })
  }
  const actions = () =>
    db.action.findMany({ where: { campaign_id: made.campaign_id }, orderBy: { performed_at: 'asc' } })
  const row = () => db.mailbox.findUniqueOrThrow({ where: { mailbox_id } })
  return { ...made, mailbox_id, oauth, vendors, watchers, aliases, server, mail, send, poll, actions, row }
}
