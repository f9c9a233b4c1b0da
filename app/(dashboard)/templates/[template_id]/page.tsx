import type { Metadata } from 'next'
import { InheritedTemplate } from '#components/messages/inherited-template'
import { OlderTexts } from '#components/messages/older-texts'
import { TemplateEditor } from '#components/messages/template-editor'
import { ChangingLink } from '#components/ui/controls/changing-link'
import { SharedWork } from '#components/ui/controls/lock'
import { Breadcrumbs } from '#components/ui/layout/breadcrumbs'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { ReadTemplate, UpdateTemplate } from '#lib/contracts/messages/templates'
import { requireUser } from '#lib/http/session'
import { attachedFiles } from '#lib/services/messages/attached/attachments'
import { sharingWithChildren, templateNames } from '#lib/services/messages/references'
import { getTemplate, holdersOfOlderText } from '#lib/services/messages/templates'
import { previewSource } from '#lib/services/messages/text-previews'
import { orNotFound, parseParams } from '../../../page-input.ts'
import { keepAttached, startAttaching } from '../../attaching.ts'
import { listTemplateNames, readTemplateWords } from '../../offered-templates.ts'
import { ViewOnly } from '../../view-only.tsx'
import { adoptTemplate, previewAdoption, renderTemplate, updateTemplate } from '../actions.ts'

export const metadata: Metadata = { title: 'Template' }

export default async function TemplatePage({ params }: PageProps<'/templates/[template_id]'>) {
  const user = await requireUser()
  const { template_id } = parseParams(ReadTemplate.params, await params)
  const template = ReadTemplate.response.parse(await orNotFound(getTemplate(user.workspace_id, template_id)))
  const { inherited_from } = template
  const [{ fields, leads }, holders, sharing, all] = await Promise.all([
    previewSource(user.workspace_id),
    holdersOfOlderText(user.workspace_id, template_id),
    sharingWithChildren(user.workspace_id, template_id),
    templateNames(user.workspace_id),
  ])
  return (
    <>
      <PageHeader
        above={<Breadcrumbs items={[{ href: '/templates', label: 'Templates' }]} />}
        title={template.name}
        actions={
          <SharedWork>
            <ChangingLink
              variant={inherited_from ? 'primary' : 'secondary'}
              href={`/templates/new?from=${template_id}`}
            >
              Duplicate
            </ChangingLink>
          </SharedWork>
        }
      />
      <PageBody>
        <OlderTexts
          holders={holders}
          preview={previewAdoption.bind(null, template_id)}
          adopt={adoptTemplate.bind(null, template_id)}
        />
        {inherited_from ? (
          <InheritedTemplate
            template={template}
            parent={inherited_from.name}
            render={renderTemplate}
            leads={leads}
          />
        ) : (
          <ViewOnly changes={UpdateTemplate} work={{ name: 'template_id', id: template_id }}>
            <TemplateEditor
              template={template}
              files={await attachedFiles(user.workspace_id, template.content.attachment_ids)}
              leadFiles={await attachedFiles(user.workspace_id, template.content.lead_files?.attachment_ids)}
              attach={{ start: startAttaching, keep: keepAttached }}
              offered={{
                any: all.some(({ id }) => id !== template_id),
                list: listTemplateNames,
                read: readTemplateWords,
              }}
              sharing={sharing}
              save={updateTemplate.bind(null, template_id)}
              render={renderTemplate}
              fields={fields}
              leads={leads}
            />
          </ViewOnly>
        )}
      </PageBody>
    </>
  )
}
