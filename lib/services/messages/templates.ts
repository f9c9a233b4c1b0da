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
import { rowsOfPage } from '#lib/db/page'
import { leanBody } from '#lib/domain/messages/lean-html'
import { parseTemplate } from '#lib/domain/messages/template'
import type { Maker } from '#lib/domain/workspaces/maker'
import { AppError, ValidationError } from '#lib/errors'
import { type EditTx, edit } from '#lib/services/instance/versioned-edit'
import { campaignNaming } from '#lib/services/messages/references'

type Content = Template['content']

const typed = <T extends { content: unknown }>(row: T): Omit<T, 'content'> & { content: Content } => ({
  ...row,
  content: Template.shape.content.parse(row.content),
})

/** As it is kept. Bad Liquid or spintax is refused at save, so that no launch meets it; HTML is kept lean. */
function checkContent(content: Content): Content {
  const lean = { ...content, body: leanBody(content.body) }
  const given = parseTemplate(content)
  const parsed = given.ok ? parseTemplate(lean) : given
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

export async function listTemplates(
  workspaceId: string,
  { page, page_size }: z.output<typeof ListTemplates.query>,
) {
  const where = { workspace_id: workspaceId }
  const [rows, total] = await Promise.all([
    db.template.findMany({
      where,
      orderBy: [{ created_at: 'desc' }, { template_id: 'desc' }],
      ...rowsOfPage({ page, page_size }),
    }),
    db.template.count({ where }),
  ])
  return { templates: rows.map(typed), total }
}

export async function createTemplate(
  { workspace_id, user_id }: Maker,
  fields: z.output<typeof CreateTemplate.body>,
) {
  const content = checkContent(fields.content)
  return typed(await db.template.create({ data: { ...fields, content, workspace_id, user_id } }))
}

export async function getTemplate(workspaceId: string, templateId: string) {
  const row = await db.template.findFirst({ where: { template_id: templateId, workspace_id: workspaceId } })
  if (!row) throw new AppError('template_not_found')
  return typed(row)
}

export async function updateTemplate(
  workspaceId: string,
  templateId: string,
  { name, content: given, version }: z.output<typeof UpdateTemplate.body>,
) {
  const key = { template_id: templateId, workspace_id: workspaceId }
  const write = async (tx: EditTx) => {
    const before = typed(await tx.template.findFirstOrThrow({ where: key }))
    const content = checkContent({ ...before.content, ...given })
    return tx.template.update({
      where: key,
      data: { ...(name === undefined ? {} : { name }), content },
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
  return edited(typed(row))
}

const edited = async <T extends { workspace_id: string; template_id: string }>(template: T) => ({
  ...template,
  older_in: await holdersOfOlderText(template.workspace_id, template.template_id),
})

export async function deleteTemplate(workspaceId: string, templateId: string): Promise<void> {
  await getTemplate(workspaceId, templateId)
  if (await campaignNaming(workspaceId, 'template_id', templateId)) throw new AppError('template_in_use')
  await db.template.deleteMany({ where: { template_id: templateId, workspace_id: workspaceId } })
}

/** The launched campaigns that go on with an older text of this template, newest first. */
export async function holdersOfOlderText(workspaceId: string, templateId: string): Promise<TextHolder[]> {
  const { rows } = await pool().query<TextHolder>(
    `SELECT c.campaign_id, c.name, c.status FROM campaign_texts k
     JOIN templates t USING (template_id) JOIN campaigns c ON c.campaign_id = k.campaign_id
     WHERE k.template_id = $2 AND t.workspace_id = $1 AND c.workspace_id = $1 AND k.content <> t.content
       AND c.status NOT IN ('draft', 'completed', 'failed')
     ORDER BY c.created_at DESC, c.campaign_id DESC`,
    [workspaceId, templateId],
  )
  return rows
}
