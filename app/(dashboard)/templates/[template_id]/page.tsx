import type { Metadata } from 'next'
import { OlderTexts } from '#components/messages/older-texts'
import { TemplateEditor } from '#components/messages/template-editor'
import { Breadcrumbs } from '#components/ui/layout/breadcrumbs'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { ReadTemplate } from '#lib/contracts/messages/templates'
import { requireUser } from '#lib/http/session'
import { getTemplate, holdersOfOlderText } from '#lib/services/messages/templates'
import { previewSource } from '#lib/services/messages/text-previews'
import { orNotFound, parseParams } from '../../../page-input.ts'
import { adoptTemplate, previewAdoption, renderTemplate, updateTemplate } from '../actions.ts'

export const metadata: Metadata = { title: 'Template' }

export default async function TemplatePage({ params }: PageProps<'/templates/[template_id]'>) {
  const user = await requireUser()
  const { template_id } = parseParams(ReadTemplate.params, await params)
  const template = ReadTemplate.response.parse(await orNotFound(getTemplate(user.workspace_id, template_id)))
  const [{ fields, leads }, holders] = await Promise.all([
    previewSource(user.workspace_id),
    holdersOfOlderText(user.workspace_id, template_id),
  ])
  return (
    <>
      <PageHeader
        above={<Breadcrumbs items={[{ href: '/templates', label: 'Templates' }]} />}
        title={template.name}
      />
      <PageBody>
        <OlderTexts
          holders={holders}
          preview={previewAdoption.bind(null, template_id)}
          adopt={adoptTemplate.bind(null, template_id)}
        />
        <TemplateEditor
          template={template}
          save={updateTemplate.bind(null, template_id)}
          render={renderTemplate}
          fields={fields}
          leads={leads}
        />
      </PageBody>
    </>
  )
}
