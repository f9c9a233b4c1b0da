import type { Metadata } from 'next'
import { TemplateEditor } from '#components/messages/template-editor'
import { Breadcrumbs } from '#components/ui/layout/breadcrumbs'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { ReadTemplate, UpdateTemplate } from '#lib/contracts/messages/templates'
import { requireUser } from '#lib/http/session'
import { attachedFiles } from '#lib/services/messages/attached/attachments'
import { sharingWithChildren, templateNames } from '#lib/services/messages/references'
import { getTemplate } from '#lib/services/messages/templates'
import { previewSource } from '#lib/services/messages/text-previews'
import { orNotFound } from '../../../page-input.ts'
import { keepAttached, startAttaching } from '../../attaching.ts'
import { listTemplateNames, readTemplateWords } from '../../offered-templates.ts'
import { ViewOnly } from '../../view-only.tsx'
import { createTemplate, renderTemplate } from '../actions.ts'

export const metadata: Metadata = { title: 'New template' }

export default async function NewTemplatePage({ searchParams }: PageProps<'/templates/new'>) {
  const { workspace_id } = await requireUser()
  const from = ReadTemplate.params.shape.template_id.safeParse((await searchParams).from)
  const [{ fields, leads }, sharing, others, original] = await Promise.all([
    previewSource(workspace_id),
    sharingWithChildren(workspace_id),
    templateNames(workspace_id),
    from.success ? orNotFound(getTemplate(workspace_id, from.data)) : null,
  ])
  return (
    <>
      <PageHeader
        above={<Breadcrumbs items={[{ href: '/templates', label: 'Templates' }]} />}
        title="New template"
      />
      <PageBody>
        <ViewOnly changes={UpdateTemplate}>
          <TemplateEditor
            template={null}
            begins={original ?? undefined}
            files={
              await attachedFiles(
                workspace_id,
                original?.inherited_from ? [] : original?.content.attachment_ids,
              )
            }
            leadFiles={
              await attachedFiles(
                workspace_id,
                original?.inherited_from ? [] : original?.content.lead_files?.attachment_ids,
              )
            }
            attach={{ start: startAttaching, keep: keepAttached }}
            offered={{ any: others.length > 0, list: listTemplateNames, read: readTemplateWords }}
            sharing={sharing}
            save={createTemplate}
            render={renderTemplate}
            fields={fields}
            leads={leads}
          />
        </ViewOnly>
      </PageBody>
    </>
  )
}
