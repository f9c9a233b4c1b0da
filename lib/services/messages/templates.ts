import type { z } from 'zod'
import {
  type CreateTemplate,
  EditedTemplate,
  type ListTemplates,
  Template,
  type TextHolder,
  type UpdateTemplate,
} from '#lib/contracts/messages/templates'
import { db, pool } from '#lib/db/client'
import type { Prisma } from '#lib/db/generated/client'
import { containsPattern } from '#lib/db/like'
import { firstRow, orderBy } from '#lib/db/page'
import { leadFilesProblem } from '#lib/domain/messages/attached/lead-file'
import { leanBody } from '#lib/domain/messages/lean-html'
import { parseTemplate } from '#lib/domain/messages/template'
import type { Maker } from '#lib/domain/workspaces/maker'
import { AppError, invalid, ValidationError } from '#lib/errors'
import { type EditTx, edit } from '#lib/services/instance/versioned-edit'
import { nameAttachments } from '#lib/services/messages/attached/attachments'
import { campaignNaming, campaignOfChildNaming, namesSql } from '#lib/services/messages/references'

type Content = Template['content']
type Given = Omit<Content, 'lead_files'> & { lead_files?: Content['lead_files'] | null }
type UsableTemplate = Omit<Template, 'content' | 'created_at' | 'updated_at'> & {
  content: unknown
  created_at: Date
  updated_at: Date
}

/** A workspace's own templates, and those that its parent shares. */
const USABLE = `SELECT t.template_id, t.user_id, t.kept_in AS workspace_id, t.name, t.content, t.version, t.is_shared,
    t.created_at, t.updated_at, CASE WHEN t.kept_in <> t.workspace_id
      THEN json_build_object('workspace_id', t.kept_in, 'name', w.name) END AS inherited_from
  FROM usable_templates t JOIN workspaces w ON w.workspace_id = t.kept_in WHERE t.workspace_id = $1`

const typed = <T extends { content: unknown }>(row: T): Omit<T, 'content'> & { content: Content } => ({
  ...row,
  content: Template.shape.content.parse(row.content),
})

/** The content as stored. Invalid Liquid or spintax is refused on save, so that no launch meets it; HTML is minified. */
function checkContent(given: Given): Content {
  const { attachment_ids = [], lead_files, ...words } = given
  const lean = {
    ...words,
    body: leanBody(given.body),
    ...(attachment_ids.length > 0 && { attachment_ids }),
    ...(lead_files && { lead_files }),
  }
  const asGiven = parseTemplate({ ...words, attachment_ids })
  const parsed = asGiven.ok ? parseTemplate(lean) : asGiven
  if (parsed.ok && lean.body.trim() === '')
    throw new ValidationError([
      { loc: ['body', 'content', 'body'], msg: 'nothing of this HTML can be sent', type: 'template_invalid' },
    ])
  if (parsed.ok) return lean
  throw new ValidationError(
    parsed.problems.map(({ field, line, column, message }) => ({
      loc: ['body', 'content', field],
      msg: `line ${line}, column ${column}: ${message}`,
      type: 'template_invalid',
    })),
  )
}

const FOUND = `($2::text IS NULL OR lower(concat_ws(E'\\n', t.name, t.content ->> 'subject', t.content ->> 'body')) LIKE $2)`
const SORTED_BY: Record<string, string> = {
  name: 'lower(t.name)',
  subject: `lower(t.content ->> 'subject')`,
  uses: `(SELECT count(*) FROM campaigns c JOIN workspaces w ON w.workspace_id = c.workspace_id
    WHERE $1 IN (c.workspace_id, w.parent_workspace_id) AND ${namesSql('template_id', 't.template_id')})`,
  created_at: 't.created_at',
  updated_at: 't.updated_at',
}

export async function listTemplates(
  workspaceId: string,
  { page, page_size, search, sort = '-created_at' }: z.output<typeof ListTemplates.query>,
) {
  const asked = [workspaceId, search ? containsPattern(search) : null]
  const [{ rows }, total] = await Promise.all([
    pool().query<UsableTemplate>(
      `${USABLE} AND ${FOUND} ORDER BY ${orderBy(sort, SORTED_BY, 't.template_id DESC')} LIMIT $3 OFFSET $4`,
      [...asked, page_size, firstRow({ page, page_size })],
    ),
    pool().query<{ total: number }>(
      `SELECT count(*)::int AS total FROM usable_templates t WHERE t.workspace_id = $1 AND ${FOUND}`,
      asked,
    ),
  ])
  return { templates: rows.map(typed), total: total.rows[0]?.total ?? 0 }
}

export async function createTemplate(
  { workspace_id, user_id }: Maker,
  { name, content: given, is_shared = false }: z.output<typeof CreateTemplate.body>,
) {
  const content = checkContent(given)
  const row = await db.$transaction(async (tx) => {
    await nameFiles(tx, workspace_id, { content, is_shared })
    return tx.template.create({ data: { name, content, is_shared, workspace_id, user_id } })
  })
  return { ...typed(row), inherited_from: null }
}

/** Marks a template's files as used. A template with files cannot be shared, since children cannot see the parent's files. */
async function nameFiles(
  tx: Pick<Prisma.TransactionClient, 'attachment'>,
  workspaceId: string,
  { content: { attachment_ids = [], lead_files }, is_shared }: { content: Content; is_shared: boolean },
) {
  if (is_shared && (attachment_ids.length > 0 || lead_files))
    throw invalid(['body', 'is_shared'], 'a template with files cannot be shared')
  const now = new Date()
  const loc = ['body', 'content', 'attachment_ids']
  const common = await nameAttachments(tx, workspaceId, attachment_ids, now, loc)
  if (!lead_files) return
  await nameAttachments(
    tx,
    workspaceId,
    lead_files.attachment_ids,
    now,
    ['body', 'content', 'lead_files', 'attachment_ids'],
    (files) => leadFilesProblem(files, common),
  )
}

export async function getTemplate(workspaceId: string, templateId: string) {
  const { rows } = await pool().query<UsableTemplate>(`${USABLE} AND t.template_id = $2`, [
    workspaceId,
    templateId,
  ])
  if (!rows[0]) throw new AppError('template_not_found')
  return typed(rows[0])
}

/** A template that the parent shares can be changed only in the parent. */
async function getOwnTemplate(workspaceId: string, templateId: string) {
  const template = await getTemplate(workspaceId, templateId)
  if (template.inherited_from) throw new AppError('template_inherited')
  return template
}

export async function updateTemplate(
  workspaceId: string,
  templateId: string,
  { name, content: given, is_shared, version }: z.output<typeof UpdateTemplate.body>,
) {
  await getOwnTemplate(workspaceId, templateId)
  const key = { template_id: templateId, workspace_id: workspaceId }
  const write = async (tx: EditTx) => {
    const before = typed(await tx.template.findFirstOrThrow({ where: key }))
    const content = checkContent({ ...before.content, ...given })
    await nameFiles(tx, workspaceId, { content, is_shared: is_shared ?? before.is_shared })
    return tx.template.update({
      where: key,
      data: {
        ...(name === undefined ? {} : { name }),
        ...(is_shared === undefined ? {} : { is_shared }),
        content,
      },
    })
  }
  const row = await edit({
    table: 'templates',
    key,
    version,
    missing: 'template_not_found',
    current: async () => EditedTemplate.parse(await edited(await getTemplate(workspaceId, templateId))),
    write,
  })
  return edited({ ...typed(row), inherited_from: null })
}

const edited = async <T extends { workspace_id: string; template_id: string }>(template: T) => ({
  ...template,
  older_in: await holdersOfOlderText(template.workspace_id, template.template_id),
})

export async function deleteTemplate(workspaceId: string, templateId: string): Promise<void> {
  const { is_shared } = await getOwnTemplate(workspaceId, templateId)
  if (await campaignNaming(workspaceId, 'template_id', templateId)) throw new AppError('template_in_use')
  if (is_shared && (await campaignOfChildNaming(workspaceId, templateId)))
    throw new AppError('template_in_use', {
      message: 'A child workspace’s campaign uses this template. Stop sharing it first.',
    })
  await db.template.deleteMany({ where: { template_id: templateId, workspace_id: workspaceId } })
}

/** Launched campaigns that still use an older text of this template, newest first. */
export async function holdersOfOlderText(workspaceId: string, templateId: string): Promise<TextHolder[]> {
  const { rows } = await pool().query<TextHolder>(
    `SELECT c.campaign_id, c.name, c.status FROM campaign_texts k
     JOIN usable_templates t USING (template_id) JOIN campaigns c ON c.campaign_id = k.campaign_id
     WHERE k.template_id = $2 AND t.workspace_id = $1 AND c.workspace_id = $1 AND k.content <> t.content
       AND c.status NOT IN ('draft', 'completed', 'failed')
     ORDER BY c.created_at DESC, c.campaign_id DESC`,
    [workspaceId, templateId],
  )
  return rows
}
