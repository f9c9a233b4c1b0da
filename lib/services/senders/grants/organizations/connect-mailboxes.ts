import type { z } from 'zod'
import type {
  ConnectOrganizationMailboxes,
  OrganizationRows,
} from '#lib/contracts/senders/mail-organizations'
import { CreateMailbox } from '#lib/contracts/senders/mailboxes'
import { db } from '#lib/db/client'
import { DbNull } from '#lib/db/json'
import {
  type OrganizationRefusal,
  refusalOfKey,
  refusalOfMailbox,
  remedy,
} from '#lib/domain/domains/mail-organizations'
import { AppError } from '#lib/errors'
import type { MailProvider } from '#lib/providers/mail/port'
import type { Granted, MailServers, MailVendor, OrganizationOAuth } from '#lib/providers/mail-oauth/port'
import {
  type FindOrganization,
  findOrganization,
  openKey,
  organizationServers,
  readVendor,
} from '#lib/services/senders/grants/organizations/driver'
import { findOrganizationRow } from '#lib/services/senders/grants/organizations/organizations'
import { sealToken } from '#lib/services/senders/grants/sealed-token'
import { mailProvider } from '#lib/services/senders/mail-provider'
import { WORKING, wakeOwned } from '#lib/services/senders/mailboxes'

/** Mailboxes connected at once: each makes two requests to its vendor, which also limits them per organization. */
const CONCURRENCY = 5
/** None is begun later than this, since the caller waits for all of them. */
const MOST_MS = 40_000

type Wanted = z.output<typeof ConnectOrganizationMailboxes.body>['mailboxes'][number]
type Row = OrganizationRows['rows'][number]

type Options = {
  now: Date
  mail?: MailProvider
  find?: FindOrganization
  clock?: () => Date
}

type Organization = {
  workspace_id: string
  organization_id: string
  client_id: string
  vendor: MailVendor
  oauth: OrganizationOAuth
  servers: MailServers
}

/** Connects each mailbox independently: a refusal does not affect the others, and only mailboxes that the vendor opened are stored. */
export async function connectOrganizationMailboxes(
  workspace_id: string,
  organization_id: string,
  wanted: Wanted[],
  options: Options,
): Promise<OrganizationRows> {
  const { find = findOrganization, clock = () => new Date() } = options
  const row = await findOrganizationRow(workspace_id, organization_id)
  const vendor = readVendor(row.vendor)
  const [key, servers] = [openKey(row), organizationServers(vendor)]
  if (!key || !servers) throw new AppError('provider_unavailable')
  const { client_id } = row
  const organization = { workspace_id, organization_id, client_id, vendor, servers, oauth: find(key) }
  const once = new Map(wanted.map((each) => [each.address, each]))
  const until = clock().getTime() + MOST_MS
  const done = new Map<string, Row>()
  const waiting = [...once.values()]
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const isTime = clock().getTime() < until
      done.set(
        next.address,
        isTime ? await connectOne(organization, next, options) : refused(vendor, next, 'no_time', null),
      )
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
  const rows = [...once.keys()].flatMap((address) => done.get(address) ?? [])
  const count = (outcome: Row['outcome']) => rows.filter((each) => each.outcome === outcome).length
  return { connected: count('connected'), already: count('already'), refused: count('refused'), rows }
}

const refused = (
  vendor: MailVendor,
  { address }: Wanted,
  cause: OrganizationRefusal,
  said: string | null,
): Row => ({
  address,
  outcome: 'refused',
  mailbox_id: null,
  cause,
  remedy: remedy(vendor, cause),
  said: said?.slice(0, 500) ?? null,
})

const NOTHING = { cause: null, remedy: null, said: null }
const already = (address: string, mailbox_id: string): Row => ({
  ...NOTHING,
  address,
  outcome: 'already',
  mailbox_id,
})

async function connectOne(
  organization: Organization,
  wanted: Wanted,
  { now, mail = mailProvider() }: Options,
): Promise<Row> {
  const { workspace_id, vendor, oauth } = organization
  const { address } = wanted
  if (!CreateMailbox.body.shape.address.safeParse(address).success)
    return refused(vendor, wanted, 'not_an_address', null)
  const where = { workspace_id, address }
  const known = await db.mailbox.findFirst({ where, select: { mailbox_id: true } })
  if (known) return already(address, known.mailbox_id)
  const answer = await oauth.refresh(address)
  if (!answer.ok) return refused(vendor, wanted, refusalOfKey(answer.fault), answer.said)
  const opened = await verify(organization, address, answer.access_token, mail)
  if (!opened.ok) return refused(vendor, wanted, refusalOfMailbox(opened.reason), opened.error)
  const mailbox_id = await save(organization, wanted, answer, now)
  if (mailbox_id) return { ...NOTHING, address, outcome: 'connected', mailbox_id }
  const other = await db.mailbox.findFirstOrThrow({ where, select: { mailbox_id: true } })
  return already(address, other.mailbox_id)
}

/**
 * A token only proves that the vendor knows the mailbox; whether it may be opened shows only on connecting. The sandbox opens every mailbox
 * that it knows.
 */
async function verify(
  { vendor, servers }: Organization,
  username: string,
  access_token: string,
  mail: MailProvider,
) {
  if (vendor === 'sandbox') return { ok: true as const }
  const api = vendor === 'google' ? ('gmail' as const) : ('graph' as const)
  const api_user = api === 'graph' ? username : null
  return mail.verify({ ...servers.smtp, username, password: null, access_token, api, api_user })
}

/** Campaigns before mailboxes, the order in which claims lock them. Null: another request connected it first. */
async function save(
  { workspace_id, organization_id, client_id, vendor, servers }: Organization,
  { address, name }: Wanted,
  granted: Granted,
  now: Date,
): Promise<string | null> {
  const own = { username: address }
  const isSandbox = vendor === 'sandbox'
  const data = {
    ...WORKING,
    workspace_id,
    address,
    name: name ?? null,
    smtp: isSandbox ? { ...servers.smtp, username: null } : { ...servers.smtp, ...own },
    imap: servers.imap ? { ...servers.imap, ...own } : DbNull,
    ramp_up: DbNull,
    ramp_up_started_at: now,
    last_checked_at: now,
    inbox_due_at: now,
  }
  return db.$transaction(async (tx) => {
    await wakeOwned(tx, workspace_id, now)
    const [row] = await tx.mailbox.createManyAndReturn({
      data: [data],
      skipDuplicates: true,
      select: { mailbox_id: true },
    })
    if (!row) return null
    const { mailbox_id } = row
    const grant = {
      workspace_id,
      vendor,
      client_id,
      organization_id,
      route: isSandbox ? 'smtp' : 'api',
      subject: address,
      access_token: sealToken(mailbox_id, granted.access_token),
      access_expires_at: granted.expires_at,
      granted_at: now,
    }
    await tx.mailboxGrant.create({ data: { ...grant, mailbox_id } })
    return mailbox_id
  })
}
