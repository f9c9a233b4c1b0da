import { FileInput } from 'lucide-react'
import type { Metadata } from 'next'
import { CreateForm } from '#components/leads/forms/create-form'
import { FormPanel } from '#components/leads/forms/form-panel'
import { EmptyState } from '#components/ui/feedback/empty-state'
import { Pagination } from '#components/ui/layout/pagination'
import { Panel } from '#components/ui/layout/panel'
import { ReadDataset } from '#lib/contracts/datasets/datasets'
import { ListForms } from '#lib/contracts/leads/forms'
import { ListMailboxes } from '#lib/contracts/senders/mailboxes'
import { requireUser } from '#lib/http/session'
import { getDataset } from '#lib/services/datasets/datasets'
import { formCampaigns, listForms } from '#lib/services/leads/forms/forms'
import { listMailboxes } from '#lib/services/senders/mailboxes'
import { orNotFound, parseParams, parseQuery } from '../../../../page-input.ts'
import { DatasetFrame } from '../frame.tsx'
import { createForm, deleteForm, updateForm } from './actions.ts'

export const metadata: Metadata = { title: 'Forms' }

export default async function FormsPage({ params, searchParams }: PageProps<'/datasets/[dataset_id]/forms'>) {
  const { workspace_id } = await requireUser(ListForms)
  const { dataset_id } = parseParams(ReadDataset.params, await params)
  const query = parseQuery(ListForms.query, await searchParams)
  const dataset = ReadDataset.response.parse(await orNotFound(getDataset(workspace_id, dataset_id)))
  const [listed, campaigns, senders] = await Promise.all([
    listForms(workspace_id, dataset_id, query),
    formCampaigns(workspace_id, dataset_id),
    listMailboxes(workspace_id, ListMailboxes.query.parse({ page_size: 100 }), new Date()),
  ])
  const { items, ...list } = ListForms.response.parse(listed)
  const choices = {
    mailboxes: ListMailboxes.response
      .parse(senders)
      // A new form takes the first mailbox, so those that can send come first.
      .items.toSorted((one, other) => Number(one.status === 'failing') - Number(other.status === 'failing'))
      .map(({ mailbox_id, address }) => ({ value: mailbox_id, label: address })),
    campaigns: campaigns.map(({ campaign_id, name }) => ({ value: campaign_id, label: name })),
  }
  const create = (
    <CreateForm
      choices={choices}
      columns={dataset.columns.filter(({ key }) => key !== 'email')}
      create={createForm.bind(null, dataset_id)}
    />
  )
  return (
    <DatasetFrame dataset={dataset} tab="forms">
      {list.total === 0 ? (
        <Panel>
          <EmptyState
            icon={<FileInput />}
            title="No form"
            description="Put a form on your site. People who fill it in confirm by email, and are then added to this dataset."
            action={create}
          />
        </Panel>
      ) : (
        <>
          <div>{create}</div>
          {items.map((form) => (
            <FormPanel
              key={form.form_id}
              form={form}
              choices={choices}
              save={updateForm.bind(null, dataset_id, form.form_id)}
              remove={deleteForm.bind(null, dataset_id, form.form_id)}
            />
          ))}
          {list.total > list.page_size && (
            <Pagination path={`/datasets/${dataset_id}/forms`} query={query} {...list} noun="forms" />
          )}
        </>
      )}
    </DatasetFrame>
  )
}
