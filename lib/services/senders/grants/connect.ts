import { z } from 'zod'
import type { AuthorizeMailbox } from '#lib/contracts/senders/mailbox-oauth'
import { db } from '#lib/db/client'
import type { Prisma } from '#lib/db/generated/client'
import { DbNull } from '#lib/db/json'
import { AppError } from '#lib/errors'
import {
  type Granted,
  type GrantedAccount,
  type GrantRefusal,
  MAIL_ROUTES,
  type MailOAuth,
  type MailRoute,
  type MailVendor,
} from '#lib/providers/mail-oauth/port'
import {
  deriveSecrets,
  type GrantLink,
  issueGrantLink,
  readGrantLink,
  spendGrantLink,
} from '#lib/services/senders/grants/links'
import { sealToken } from '#lib/services/senders/grants/sealed-token'
import { mailOAuth, redirectUri, usualRoute } from '#lib/services/senders/grants/vendors'
import { getMailbox, WORKING, wakeOwned } from '#lib/services/senders/mailboxes'

type Person = { workspace_id: string; session_id?: string | undefined }
type Vendors = (vendor: MailVendor, route?: MailRoute) => MailOAuth | null

function requireVendor(vendor: MailVendor, route: MailRoute, vendors: Vendors): MailOAuth {
  const oauth = vendors(vendor, route)
  if (oauth) return oauth
  const message = 'This instance has no OAuth client for this provider. Its operator can register one.'
  throw new AppError('provider_unavailable', { message })
}

/** Binds the sign-in to a browser session, so that nobody can make another person's sign-in end in a mailbox of their own. */
export function requireSession({ workspace_id, session_id }: Person) {
  if (session_id) return { workspace_id, session_id }
  const message = 'This must be done in the browser. Sign in to the dashboard.'
  throw new AppError('forbidden', { message })
}

/** The URL where a person signs in at the vendor and allows this instance to use the mailbox. */
export async function authorizeMailbox(
  person: Person,
  { vendor, mailbox_id = null, address, route: asked }: z.output<typeof AuthorizeMailbox.body>,
  now: Date,
  vendors: Vendors = mailOAuth,
) {
  const session = requireSession(person)
  const route = asked ?? (await knownRoute(person, mailbox_id)) ?? usualRoute(vendor)
  const oauth = requireVendor(vendor, route, vendors)
  const mailbox = mailbox_id ? await getMailbox(person.workspace_id, mailbox_id, now) : null
  const { link, state } = issueGrantLink(
    { ...session, vendor, route: oauth.route, mailbox_id: mailbox_id ?? null },
    now,
  )
  const url = await oauth.authorizeUrl({
    state,
    ...deriveSecrets(link),
    redirect_uri: redirectUri(vendor),
    login_hint: mailbox?.address ?? address ?? null,
  })
  return { url, vendor }
}

/** A reconnected mailbox keeps its route. */
async function knownRoute({ workspace_id }: Person, mailbox_id: string | null): Promise<MailRoute | null> {
  const grant = mailbox_id ? await db.mailboxGrant.findFirst({ where: { mailbox_id, workspace_id } }) : null
  return grant && z.enum(MAIL_ROUTES).parse(grant.route)
}

/** Completes the sign-in: the code becomes a grant, and the grant a new mailbox or the new sign-in of an existing one. */
export async function completeMailboxOAuth(
  person: Person,
  { vendor, query }: { vendor: MailVendor; query: string },
  now: Date,
  vendors: Vendors = mailOAuth,
) {
  const session = requireSession(person)
  const callback = new URL(redirectUri(vendor))
  callback.search = query
  const state = callback.searchParams.get('state') ?? ''
  const link = readGrantLink(state, session, now)
  if (link?.vendor !== vendor || link.domain_id !== null || !(await spendGrantLink(link)))
    throw new AppError('grant_invalid')
  const oauth = requireVendor(vendor, link.route, vendors)
  const answer = await oauth.exchange(callback, { state, ...deriveSecrets(link) })
  if (!answer.ok) throw grantRefusal(answer)
  const { refresh_token } = answer
  if (!hasScopes(oauth, answer) || !refresh_token) throw new AppError('mailbox_scope_missing')
  const mailboxId = await saveGrant(link, oauth, { ...answer, refresh_token }, now)
  return getMailbox(person.workspace_id, mailboxId, now)
}

/** People may untick requested permissions. */
export const hasScopes = (
  { needed_scopes }: Pick<MailOAuth, 'needed_scopes'>,
  { scopes }: Granted,
): boolean =>
  scopes === null ||
  needed_scopes.every((scope) => scopes.some((one) => one.toLowerCase() === scope.toLowerCase()))

export function grantRefusal({ fault, said }: GrantRefusal): AppError {
  switch (fault) {
    case 'declined':
      return new AppError('mailbox_not_allowed')
    case 'admin':
      return new AppError('mailbox_needs_admin')
    case 'unreachable':
      return new AppError('provider_unavailable', { message: `The sign-in could not be completed: ${said}` })
    default:
      return new AppError('provider_rejected', { message: `The sign-in was refused: ${said}` })
  }
}

type Complete = Granted & { refresh_token: string; account: GrantedAccount }

/** Campaigns before mailboxes, the order in which claims lock them. */
async function saveGrant(link: GrantLink, oauth: MailOAuth, answer: Complete, now: Date): Promise<string> {
  const { workspace_id } = link
  return db.$transaction(async (tx) => {
    await wakeOwned(tx, workspace_id, now)
    const mailbox_id = link.mailbox_id
      ? await reconnected(tx, { ...link, mailbox_id: link.mailbox_id }, answer, now)
      : await created(tx, workspace_id, oauth, answer, now)
    const fields = {
      vendor: oauth.vendor,
      client_id: oauth.client_id,
      route: oauth.route,
      subject: answer.account.subject,
      organization_id: null,
      refresh_token: sealToken(mailbox_id, answer.refresh_token),
      access_token: sealToken(mailbox_id, answer.access_token),
      access_expires_at: answer.expires_at,
      granted_at: now,
      refreshed_at: null,
      ended_cause: null,
      ended_said: null,
      ended_at: null,
    }
    await tx.mailboxGrant.upsert({
      where: { mailbox_id },
      create: { ...fields, mailbox_id, workspace_id },
      update: fields,
    })
    await tx.mailbox.update({ where: { mailbox_id }, data: signedIn(oauth, answer.account.address, now) })
    return mailbox_id
  })
}

/** Columns of a mailbox that is assumed to work and whose mail is read at once. */
function signedIn({ servers }: MailOAuth, address: string, now: Date) {
  const smtp = servers && { ...servers.smtp, username: address }
  const imap = servers?.imap && { ...servers.imap, username: address }
  return {
    ...WORKING,
    ...(smtp && { smtp, smtp_password: null }),
    imap: imap ?? DbNull,
    imap_password: null,
    inbox_polled_at: null,
    inbox_error: null,
    inbox_failing_since: null,
    inbox_due_at: now,
  }
}

async function reconnected(
  tx: Prisma.TransactionClient,
  { workspace_id, mailbox_id }: GrantLink & { mailbox_id: string },
  { account }: Complete,
  now: Date,
): Promise<string> {
  const mailbox = await tx.mailbox.findFirst({
    where: { mailbox_id, workspace_id },
    include: { grant: true },
  })
  if (!mailbox) throw new AppError('mailbox_not_found')
  if (mailbox.address !== account.address && mailbox.grant?.subject !== account.subject)
    throw new AppError('mailbox_of_another', {
      message: `You signed in as ${account.address}, but this mailbox is ${mailbox.address}. Choose that account.`,
    })
  await tx.mailbox.updateMany({ where: { mailbox_id }, data: { last_checked_at: now } })
  return mailbox_id
}

async function created(
  tx: Prisma.TransactionClient,
  workspace_id: string,
  { servers }: MailOAuth,
  { account }: Complete,
  now: Date,
): Promise<string> {
  if (!servers) throw new AppError('provider_unavailable')
  const data = {
    workspace_id,
    address: account.address,
    name: account.name?.slice(0, 200) || null,
    smtp: servers.smtp,
    ramp_up: DbNull,
    ramp_up_started_at: now,
  }
  const [row] = await tx.mailbox.createManyAndReturn({
    data: [data],
    skipDuplicates: true,
    select: { mailbox_id: true },
  })
  if (row) return row.mailbox_id
  const message = `${account.address} is already connected. Open it and choose Reconnect.`
  throw new AppError('mailbox_exists', { message })
}
