'use server'

import type { Offer } from '#components/messages/offered/offered'
import type { TemplateNames, TemplateWords } from '#components/messages/offered/source'
import { listTemplates, readTemplate } from '#lib/operations/messages/templates'
import { answered, perform } from '../action.ts'

const PAGE_SIZE = 100
const MOST_PAGES = 5

/** All templates by name. */
export async function listTemplateNames(): Promise<TemplateNames> {
  const templates: Offer[] = []
  const read = await answered(async () => {
    for (let page = 1; page <= MOST_PAGES; page += 1) {
      const query = { page: String(page), page_size: String(PAGE_SIZE), sort: 'name' }
      const listed = await perform(listTemplates, { query })
      templates.push(...listed.templates.map(({ template_id, name }) => ({ id: template_id, name })))
      if (templates.length >= listed.total) break
    }
  })
  return read.ok ? { ok: true, templates } : read
}

/** A template's text with its fields unfilled. */
export async function readTemplateWords(template_id: string): Promise<TemplateWords> {
  const read = await answered(() => perform(readTemplate, { params: { template_id } }))
  if (!read.ok) return read
  const { body, attachment_ids = [], lead_files } = read.answer.content
  return { ok: true, body, has_files: attachment_ids.length > 0 || lead_files !== undefined }
}
