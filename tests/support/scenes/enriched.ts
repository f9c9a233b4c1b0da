import { ListDatasetRows } from '#lib/contracts/datasets/datasets'
import { ListDatasetChanges, ProcessDataset } from '#lib/contracts/enrichment/dataset-sessions'
import { call } from '#tests/support/call'
import { aDataset } from '#tests/support/scenes/factories'
import { carryOut } from '#tests/support/scenes/pipeline'

type User = { workspace_id: string; user_id: string }
export type Lead = { email: string | null; [field: string]: string | null }
export const LEADS: Lead[] = [
  {
    email: 'info@acme.com',
    full_name: 'Dr. ADA LOVELACE',
    company: 'ACME, Inc.',
    title: 'CEO',
    country: 'Germany',
  },
  { email: 'bob@gmail.com', full_name: 'Bob', company: '', title: '', country: 'USA' },
  {
    email: 'eve@beta.org',
    full_name: 'Eve Stone',
    first_name: 'Evelyn',
    company: 'Beta AG',
    title: 'Head of Sales',
    country: '',
  },
]

export const process = (as: User, dataset_id: string, body: unknown = { pipeline_type: 'enrichment' }) =>
  call(ProcessDataset, { as, params: { dataset_id }, body })
export const rowsOf = async (as: User, dataset_id: string) =>
  (await call(ListDatasetRows, { as, params: { dataset_id } })).body.items
export const changesOf = async (as: User, dataset_id: string, query: Record<string, string | number> = {}) =>
  (await call(ListDatasetChanges, { as, params: { dataset_id }, query: { page_size: 100, ...query } })).body

export async function enriched(owner: User, leads: Parameters<typeof aDataset>[1] = LEADS, body?: unknown) {
  const { dataset_id } = await aDataset(owner, leads)
  const { body: session } = await process(owner, dataset_id, body)
  await carryOut(session.session_id)
  return {
    dataset_id,
    session_id: session.session_id,
    params: { dataset_id, session_id: session.session_id },
  }
}
