import type { z } from 'zod'
import type { RenderTemplate } from '#lib/contracts/messages/templates'
import { db } from '#lib/db/client'
import { renderMessage } from '#lib/domain/messages/message'
import { sendingAddress } from '#lib/domain/messages/own-addresses'
import { storedCells, storedColumns } from '#lib/services/datasets/stored'
import { profileData } from '#lib/services/messages/stored'
import { getTemplate } from '#lib/services/messages/templates'

/** Fields that a text may always use, whatever the dataset's columns. */
const ALWAYS = ['email', 'unsubscribe_url']

/** The dataset that a text without a campaign is previewed with: by default the newest that has rows. */
export async function previewSource(workspaceId: string, datasetId?: string) {
  const dataset = await db.dataset.findFirst({
    where: {
      workspace_id: workspaceId,
      ...(datasetId ? { dataset_id: datasetId } : { row_count: { gt: 0 } }),
    },
    orderBy: { created_at: 'desc' },
  })
  if (!dataset) return { dataset_id: null, fields: [], leads: 0 }
  const keys = storedColumns(dataset).map((column) => column.key)
  return {
    dataset_id: dataset.dataset_id,
    fields: [...new Set([...keys, ...ALWAYS])],
    leads: dataset.row_count,
  }
}

/**
 * A text as one lead would read it, by the renderer that dispatch uses. If it cannot be rendered, `problems` says why and the text is
 * returned as written.
 */
export async function renderTemplate(
  workspaceId: string,
  { template_id, subject, body, data, lead_index }: z.output<typeof RenderTemplate.body>,
) {
  const saved = template_id
    ? (await getTemplate(workspaceId, template_id)).content
    : { subject: '', body: '' }
  const words = { subject: subject ?? saved.subject, body: body ?? saved.body }
  const template = { ...words, subject: words.subject.trim() ? words.subject : null }
  const source = await previewSource(workspaceId)
  const [row, profile, mailbox] = await Promise.all([
    source.dataset_id && !data
      ? db.datasetRow.findFirst({
          // The number of a removed row is unused, so the next row is taken.
          where: { dataset_id: source.dataset_id, lead_index: { gte: lead_index } },
          orderBy: { lead_index: 'asc' },
        })
      : null,
    db.senderProfile.findFirst({
      where: { workspace_id: workspaceId, is_default: true },
    }),
    db.mailbox.findFirst({ where: { workspace_id: workspaceId }, orderBy: { created_at: 'desc' } }),
  ])
  const lead: Record<string, unknown> =
    data ?? (row ? { ...storedCells(row), email: row.email } : SAMPLE_LEAD)
  const sender = {
    ...(mailbox ? { email: sendingAddress(mailbox), name: mailbox.name } : {}),
    ...profileData(profile),
  }
  const rendered = renderMessage({
    template,
    lead,
    sender,
    seed: `preview:${lead_index}:1`,
    unsubscribe_url: 'https://example.com/unsubscribe',
    thread_subject: '(the subject of the first mail)',
  })
  const to = typeof lead.email === 'string' ? lead.email : null
  if (!rendered.ok)
    return {
      subject: template.subject ?? '',
      text: template.body,
      html: null,
      to,
      problems: rendered.problems.map((problem) => problem.message),
    }
  return { ...rendered.message, to, problems: [] }
}

/** Used when no dataset was imported yet. */
const SAMPLE_LEAD = {
  email: 'maria.lopez@example.com',
  first_name: 'María',
  last_name: 'López',
  full_name: 'María López',
  company: 'Example & Co.',
  title: 'Head of Sales',
}
