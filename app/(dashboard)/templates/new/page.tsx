import type { Metadata } from 'next'
import { TemplateEditor } from '#components/messages/template-editor'
import { Breadcrumbs } from '#components/ui/layout/breadcrumbs'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { requireUser } from '#lib/http/session'
import { previewSource } from '#lib/services/messages/text-previews'
import { createTemplate, renderTemplate } from '../actions.ts'

export const metadata: Metadata = { title: 'New template' }

export default async function NewTemplatePage() {
  const user = await requireUser()
  const { fields, leads } = await previewSource(user.workspace_id)
  return (
    <>
      <PageHeader
        above={<Breadcrumbs items={[{ href: '/templates', label: 'Templates' }]} />}
        title="New template"
      />
      <PageBody>
        <TemplateEditor
          template={null}
          save={createTemplate}
          render={renderTemplate}
          fields={fields}
          leads={leads}
        />
      </PageBody>
    </>
  )
}
