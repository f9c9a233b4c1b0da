import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import { type CreateForm, Form, type ListForms, type UpdateForm } from '#lib/contracts/leads/forms'
import { db } from '#lib/db/client'
import type { Prisma } from '#lib/db/generated/client'
import type { FormModel } from '#lib/db/generated/models'
import { storableJson } from '#lib/db/json'
import { rowsOfPage } from '#lib/db/page'
import { seal } from '#lib/db/seal'
import { FORM_TOKEN_BYTES, MAX_FORMS } from '#lib/domain/leads/form-fields'
import type { Maker } from '#lib/domain/workspaces/maker'
import { env } from '#lib/env'
import { AppError, invalid } from '#lib/errors'
import { givenMailboxes } from '#lib/services/instance/given-senders'
import { takeTurn } from '#lib/services/instance/turn'
import { edit } from '#lib/services/instance/versioned-edit'

type FormKey = { dataset_id: string; form_id: string }
type Counts = { confirmed: number; unconfirmed: number; not_added: number }

/** Entries that were confirmed but skipped for a reason. */
const NOT_ADDED = { outcome: { notIn: ['added', 'updated'] } }

async function countEntries(workspace_id: string, form_id: string): Promise<Counts> {
  const where = { workspace_id, form_id }
  const [confirmed, unconfirmed, not_added] = await Promise.all([
    db.formEntry.count({ where: { ...where, confirmed_at: { not: null } } }),
    db.formEntry.count({ where: { ...where, confirmed_at: null } }),
    db.formEntry.count({ where: { ...where, confirmed_at: { not: null }, ...NOT_ADDED } }),
  ])
  return { confirmed, unconfirmed, not_added }
}

/** The form without its signing secret. */
async function shown({ signing_secret, token, ...row }: FormModel) {
  return {
    ...row,
    ...(await countEntries(row.workspace_id, row.form_id)),
    url: new URL(`/forms/${token}`, env().APP_URL).href,
    fields: Form.shape.fields.parse(row.fields),
    signed: signing_secret !== null,
  }
}

async function requireDataset(workspace_id: string, dataset_id: string): Promise<void> {
  if ((await db.dataset.count({ where: { dataset_id, workspace_id } })) === 0)
    throw new AppError('dataset_not_found')
}

export async function listForms(
  workspace_id: string,
  dataset_id: string,
  { page, page_size }: z.output<typeof ListForms.query>,
) {
  await requireDataset(workspace_id, dataset_id)
  const where = { workspace_id, dataset_id }
  const [rows, total] = await Promise.all([
    db.form.findMany({
      where,
      orderBy: [{ created_at: 'desc' }, { form_id: 'desc' }],
      ...rowsOfPage({ page, page_size }),
    }),
    db.form.count({ where }),
  ])
  return { items: await Promise.all(rows.map(shown)), total, page, page_size }
}

/** The campaigns that a form for this dataset can use. */
export const formCampaigns = (workspace_id: string, dataset_id: string) =>
  db.campaign.findMany({
    where: { workspace_id, dataset_id },
    select: { campaign_id: true, name: true },
    orderBy: { created_at: 'desc' },
    take: 100,
  })

type Named = { mailbox_id?: string | null | undefined; campaign_id?: string | null | undefined }

/** Checks that the user may send from the mailbox, and that the campaign uses this dataset. */
async function requireNamed(
  maker: Maker,
  dataset_id: string,
  { mailbox_id, campaign_id }: Named,
): Promise<void> {
  const { workspace_id } = maker
  if (mailbox_id) {
    if ((await db.mailbox.count({ where: { mailbox_id, workspace_id } })) === 0)
      throw new AppError('mailbox_not_found')
    const given = await givenMailboxes(maker)
    if (given && !given.includes(mailbox_id)) throw new AppError('sender_not_given')
  }
  if (!campaign_id) return
  const campaign = await db.campaign.findFirst({ where: { campaign_id, workspace_id } })
  if (!campaign) throw new AppError('campaign_not_found')
  if (campaign.dataset_id !== dataset_id)
    throw invalid(['body', 'campaign_id'], 'must be a campaign over this dataset')
}

/**
 * A form needs either signed entries or a list of allowed sites; otherwise any page could add to the list.
 */
function requireSource({ signed, allowed_origins }: { signed: boolean; allowed_origins: string[] }): void {
  if (!signed && allowed_origins.length === 0)
    throw invalid(['body', 'allowed_origins'], 'must list the form’s sites, unless it is signed')
}

function newSecret() {
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  return { secret, columns: { signing_secret: seal(secret), secret_hint: secret.slice(-4) } }
}

export async function createForm(
  maker: Maker,
  dataset_id: string,
  { signed, fields, ...body }: z.output<typeof CreateForm.body>,
) {
  const { workspace_id } = maker
  await requireDataset(workspace_id, dataset_id)
  await requireNamed(maker, dataset_id, body)
  requireSource({ signed, ...body })
  const made = signed ? newSecret() : null
  const row = await db.$transaction(async (tx) => {
    await takeTurn(tx, workspace_id)
    if ((await tx.form.count({ where: { workspace_id } })) >= MAX_FORMS) throw new AppError('forms_full')
    const token = randomBytes(FORM_TOKEN_BYTES).toString('base64url')
    const data = { ...body, ...made?.columns, fields: storableJson(fields), workspace_id, dataset_id, token }
    return tx.form.create({ data })
  })
  return { ...(await shown(row)), secret: made?.secret ?? null }
}

async function findForm(workspace_id: string, { form_id, dataset_id }: FormKey): Promise<FormModel> {
  const row = await db.form.findFirst({ where: { form_id, dataset_id, workspace_id } })
  if (!row) throw new AppError('form_not_found')
  return row
}

export async function updateForm(
  maker: Maker,
  of: FormKey,
  { version, fields, ...body }: z.output<typeof UpdateForm.body>,
) {
  const { workspace_id } = maker
  const key = { ...of, workspace_id }
  // The form's email leaves from its mailbox, so check that mailbox even if the body names none.
  const { mailbox_id } = body.mailbox_id === undefined ? await findForm(workspace_id, of) : body
  await requireNamed(maker, of.dataset_id, { ...body, mailbox_id })
  const write = async (tx: Prisma.TransactionClient) => {
    const row = await tx.form.update({
      where: key,
      data: { ...body, ...(fields && { fields: storableJson(fields) }) },
    })
    requireSource({ signed: row.signing_secret !== null, allowed_origins: row.allowed_origins })
    return row
  }
  const row = await edit({
    table: 'forms',
    key,
    version,
    missing: 'form_not_found',
    current: async () => Form.parse(await shown(await findForm(workspace_id, of))),
    write,
  })
  return shown(row)
}

/** Unconfirmed entries are deleted with the form; confirmed ones are kept as evidence of consent. */
export async function deleteForm(workspace_id: string, of: FormKey): Promise<void> {
  const { form_id } = await findForm(workspace_id, of)
  await db.$transaction([
    db.formEntry.deleteMany({ where: { workspace_id, form_id, confirmed_at: null } }),
    db.form.deleteMany({ where: { workspace_id, form_id } }),
  ])
}
