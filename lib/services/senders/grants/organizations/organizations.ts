import type { z } from 'zod'
import {
  type CreateMailOrganization,
  MailOrganization,
  type UpdateMailOrganization,
} from '#lib/contracts/senders/mail-organizations'
import { db } from '#lib/db/client'
import type { MailOrganizationModel } from '#lib/db/generated/models'
import { seal } from '#lib/db/seal'
import { uuidv7 } from '#lib/db/uuid'
import { remedy } from '#lib/domain/domains/mail-organizations'
import { AppError, invalid } from '#lib/errors'
import { readServiceAccount } from '#lib/providers/mail-oauth/service-account'
import { type EditTx, edit } from '#lib/services/instance/versioned-edit'
import {
  type FindOrganization,
  findOrganization,
  openKey,
  permissionsToAllow,
  readVendor,
} from '#lib/services/senders/grants/organizations/driver'
import { WORKING, wakeOwned } from '#lib/services/senders/mailboxes'
import { hasSandbox } from '#lib/services/senders/sandbox'

const MOST = 20

type Row = MailOrganizationModel

/** Leaves out the secret. */
const shown = ({ secret: _, ...row }: Row, mailboxes: number): MailOrganization =>
  MailOrganization.parse({ ...row, mailboxes })

const countMailboxes = (workspace_id: string, organization_id: string) =>
  db.mailboxGrant.count({ where: { workspace_id, organization_id } })

export async function listOrganizations(workspace_id: string) {
  const [rows, counts] = await Promise.all([
    db.mailOrganization.findMany({ where: { workspace_id }, orderBy: { organization_id: 'asc' } }),
    db.mailboxGrant.groupBy({ by: 'organization_id', where: { workspace_id }, _count: true }),
  ])
  const known = new Map(counts.map(({ organization_id, _count }) => [organization_id, _count]))
  const vendors = [...(['google', 'microsoft'] as const), ...(hasSandbox() ? (['sandbox'] as const) : [])]
  return {
    items: rows.map((row) => shown(row, known.get(row.organization_id) ?? 0)),
    vendors: vendors.map((vendor) => ({ vendor, permissions: permissionsToAllow(vendor) })),
  }
}

export async function findOrganizationRow(workspace_id: string, organization_id: string): Promise<Row> {
  const row = await db.mailOrganization.findFirst({ where: { organization_id, workspace_id } })
  if (!row) throw new AppError('organization_not_found')
  return row
}

export const getOrganization = async (workspace_id: string, organization_id: string) =>
  shown(
    await findOrganizationRow(workspace_id, organization_id),
    await countMailboxes(workspace_id, organization_id),
  )

/** The stored columns of a key. */
type Kept = Pick<
  MailOrganizationModel,
  'vendor' | 'client_id' | 'account' | 'key_id' | 'tenant_id' | 'secret'
>
const NONE = { account: null, key_id: null, tenant_id: null }

async function keptOfGoogle(organization_id: string, file: string): Promise<Kept> {
  const read = await readServiceAccount(file)
  if (typeof read === 'string') throw invalid(['body', 'service_account_key'], read)
  const { private_key, ...account } = read
  return { ...NONE, ...account, vendor: 'google', secret: seal(private_key, organization_id) }
}

async function readKey(
  organization_id: string,
  body: z.output<typeof CreateMailOrganization.body>,
): Promise<Kept> {
  if (body.vendor === 'google') return keptOfGoogle(organization_id, body.service_account_key)
  if (body.vendor === 'sandbox')
    return { ...NONE, vendor: 'sandbox', client_id: 'sandbox', secret: seal('sandbox', organization_id) }
  const { vendor, tenant_id, client_id, client_secret } = body
  return { ...NONE, vendor, tenant_id, client_id, secret: seal(client_secret, organization_id) }
}

/** Tries a key before it is stored, so that mailboxes never wait because of a mistyped key. */
async function requireGood(organization_id: string, kept: Kept, find: FindOrganization): Promise<void> {
  const vendor = readVendor(kept.vendor)
  if (vendor === 'sandbox' && !hasSandbox()) throw new AppError('provider_unavailable')
  const key = openKey({ ...kept, organization_id })
  const checked = key && (await find(key).check())
  if (checked?.ok) return
  const said = checked?.said ?? ''
  if (checked?.fault === 'unreachable')
    throw new AppError('provider_unavailable', { message: `The key could not be tested: ${said}` })
  const message = `${remedy(vendor, checked?.fault === 'admin' ? 'not_allowed' : 'key_refused')} It said: ${said}`
  throw new AppError('organization_key_refused', { message })
}

export async function createOrganization(
  workspace_id: string,
  body: z.output<typeof CreateMailOrganization.body>,
  now: Date,
  find: FindOrganization = findOrganization,
): Promise<MailOrganization> {
  const organization_id = uuidv7(now)
  const kept = await readKey(organization_id, body)
  if ((await db.mailOrganization.count({ where: { workspace_id } })) >= MOST)
    throw new AppError('organizations_full')
  await requireGood(organization_id, kept, find)
  const data = { ...kept, organization_id, workspace_id, name: body.name, last_checked_at: now }
  return shown(await db.mailOrganization.create({ data }), 0)
}

type Changes = Omit<z.output<typeof UpdateMailOrganization.body>, 'version' | 'name'>

/** Null: the key is unchanged. A field for the other vendor is refused rather than silently ignored. */
async function changedKey(before: MailOrganizationModel, changes: Changes): Promise<Kept | null> {
  const { organization_id, vendor } = before
  const { service_account_key, ...ofMicrosoft } = changes
  const given = Object.entries(changes).filter(([, value]) => value !== undefined)
  const [foreign] = given.filter(
    ([name]) => vendor !== (name === 'service_account_key' ? 'google' : 'microsoft'),
  )
  if (foreign) throw invalid(['body', foreign[0]], 'is for a different provider than this organization')
  if (service_account_key) return keptOfGoogle(organization_id, service_account_key)
  const { tenant_id = before.tenant_id, client_id = before.client_id, client_secret } = ofMicrosoft
  // A secret is used only with the tenant and application that it was given for.
  const isSame = tenant_id === before.tenant_id && client_id === before.client_id
  if (!client_secret && isSame) return null
  if (!client_secret)
    throw invalid(['body', 'client_secret'], 'is needed for a different tenant or application')
  return { ...NONE, vendor, tenant_id, client_id, secret: seal(client_secret, organization_id) }
}

/** Updates an organization. With a new key its mailboxes get new tokens, and those that waited for it continue at once. */
export async function updateOrganization(
  workspace_id: string,
  organization_id: string,
  { version, name, ...changes }: z.output<typeof UpdateMailOrganization.body>,
  now: Date,
  find: FindOrganization = findOrganization,
): Promise<MailOrganization> {
  const key = { organization_id, workspace_id }
  const kept = await changedKey(await findOrganizationRow(workspace_id, organization_id), changes)
  if (kept) await requireGood(organization_id, kept, find)
  const works = { failing_cause: null, failing_said: null, failing_since: null, last_checked_at: now }
  const row = await edit({
    table: 'mail_organizations',
    key,
    version,
    missing: 'organization_not_found',
    current: () => getOrganization(workspace_id, organization_id),
    first: async (tx) => {
      if (kept) await wakeOwned(tx, workspace_id, now)
    },
    write: async (tx) => {
      if (kept) await resume(tx, key, now)
      const data = { ...kept, ...(kept && works), ...(name !== undefined && { name }) }
      return tx.mailOrganization.update({ where: key, data })
    },
  })
  // After the transaction, because a worker that renews a token holds the row's lock while it waits for the vendor.
  if (kept)
    await db.mailboxGrant.updateMany({ where: key, data: { access_token: null, access_expires_at: null } })
  return shown(row, await countMailboxes(workspace_id, organization_id))
}

async function resume(tx: EditTx, key: { organization_id: string; workspace_id: string }, now: Date) {
  const where = { workspace_id: key.workspace_id, grant: { organization_id: key.organization_id } }
  const waited = { status: 'failing' as const, failing_cause: { in: ['misconfigured', 'needs_admin'] } }
  await tx.mailbox.updateMany({ where: { ...where, ...waited }, data: WORKING })
  const unread = { inbox_error: { not: null } }
  await tx.mailbox.updateMany({
    where: { ...where, ...unread },
    data: { inbox_error: null, inbox_failing_since: null, inbox_due_at: now },
  })
}

/** Locked, so that no mailbox is connected through it meanwhile. */
export async function deleteOrganization(workspace_id: string, organization_id: string): Promise<void> {
  await db.$transaction(async (tx) => {
    const owned = await tx.$queryRaw<unknown[]>`
      SELECT 1 FROM mail_organizations
      WHERE organization_id = ${organization_id}::uuid AND workspace_id = ${workspace_id}::uuid FOR UPDATE`
    if (owned.length === 0) throw new AppError('organization_not_found')
    const where = { organization_id, workspace_id }
    const used = await tx.mailboxGrant.count({ where })
    if (used > 0) throw new AppError('organization_in_use')
    await tx.mailOrganization.delete({ where })
  })
}
