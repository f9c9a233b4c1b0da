import { FileText } from 'lucide-react'
import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { TemplateTable } from '#components/messages/template-table'
import { ChangingLink } from '#components/ui/controls/changing-link'
import { LinkButton } from '#components/ui/controls/link-button'
import { SearchInput } from '#components/ui/controls/search-input'
import { EmptyState } from '#components/ui/feedback/empty-state'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { Panel } from '#components/ui/layout/panel'
import { ListTemplates } from '#lib/contracts/messages/templates'
import { requireUser } from '#lib/http/session'
import { templateUses } from '#lib/services/messages/references'
import { listTemplates } from '#lib/services/messages/templates'
import { parseQuery } from '../../page-input.ts'
import { SampleButton } from '../samples/sample-button.tsx'
import { findOthersWork } from '../section-lock.tsx'
import { deleteTemplate } from './actions.ts'

export const metadata: Metadata = { title: 'Templates' }

export default async function TemplatesPage({ searchParams }: PageProps<'/templates'>) {
  const user = await requireUser()
  const query = parseQuery(ListTemplates.query, await searchParams)
  const { templates, total } = ListTemplates.response.parse(await listTemplates(user.workspace_id, query))
  const shown = templates.map(({ template_id }) => template_id)
  const [uses, others] = await Promise.all([
    templateUses(user.workspace_id, shown),
    findOthersWork(user, 'template_id', shown),
  ])
  const isFiltered = query.search !== undefined
  const create = (
    <ChangingLink variant="primary" href="/templates/new">
      New template
    </ChangingLink>
  )
  return (
    <>
      <PageHeader
        title="Templates"
        description="Subjects and texts for your campaign steps."
        actions={(total > 0 || isFiltered) && create}
      />
      <PageBody>
        {(total > 0 || isFiltered) && (
          <SearchInput path="/templates" query={query} label="Search templates" className="w-full sm:w-64" />
        )}
        {templates.length === 0 ? (
          <Panel>{isFiltered ? <NoneMatches /> : <None create={create} />}</Panel>
        ) : (
          <TemplateTable
            templates={templates}
            total={total}
            {...query}
            query={query}
            uses={Object.fromEntries(uses)}
            now={new Date().toISOString()}
            remove={deleteTemplate}
            others={others}
          />
        )}
      </PageBody>
    </>
  )
}

const NoneMatches = () => (
  <EmptyState
    title="No templates match"
    action={<LinkButton href="/templates">Show all templates</LinkButton>}
  />
)

const None = ({ create }: { create: ReactNode }) => (
  <EmptyState
    icon={<FileText />}
    title="No template yet"
    description="Write a message once, with fields such as {{ first_name }}, and use it in any campaign."
    action={
      <>
        {create}
        <SampleButton kind="template" />
      </>
    }
  />
)
