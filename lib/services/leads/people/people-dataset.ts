import type { z } from 'zod'
import { type CreatePeopleDataset, MAX_DATASET_PEOPLE } from '#lib/contracts/leads/people'
import { pool } from '#lib/db/client'
import type { Statements } from '#lib/db/statements'
import { inTransaction } from '#lib/db/transaction'
import type { GivenRow } from '#lib/domain/datasets/given-rows'
import { profileCell } from '#lib/domain/social/social-profile'
import { AppError } from '#lib/errors'
import { getDataset } from '#lib/services/datasets/datasets'
import { type ListedPerson, peoplePages } from '#lib/services/leads/people/list'
import { type LockedDataset, lockDataset } from '#lib/services/leads/rows/locked-dataset'
import { filledKeys, sortRows } from '#lib/services/leads/rows/sort-rows'
import { describeDataset, insertRows } from '#lib/services/leads/rows/write-rows'

/** Rows per statement. */
const PAGE = 1_000

/** A person as a row, with the column names that lists use. */
const asRow = ({ email, profile, tags, ...person }: ListedPerson): GivenRow => ({
  Email: email,
  'First name': person.first_name,
  'Last name': person.last_name,
  Title: person.title,
  Company: person.company,
  Country: person.country,
  Phone: person.phone,
  ...(profile && profileCell(profile)),
  Tags: tags.join(', '),
})

/**
 * Creates a dataset from the filtered people for use in campaigns; either with all of them, or not at all.
 */
export async function createPeopleDataset(
  workspace_id: string,
  { dataset_name, filters, person_ids }: z.output<typeof CreatePeopleDataset.body>,
  now: Date,
) {
  const dataset_id = await inTransaction(pool(), async (client) => {
    const { rows } = await client.query<{ dataset_id: string }>(
      `INSERT INTO datasets (workspace_id, dataset_name, source_type, created_at, updated_at)
       VALUES ($1::uuid, $2, 'people', $3::timestamptz, $3::timestamptz) RETURNING dataset_id`,
      [workspace_id, dataset_name, now],
    )
    const id = rows[0]?.dataset_id ?? ''
    const dataset = await lockDataset(client, workspace_id, id)
    let people = 0
    for await (const page of peoplePages(
      client,
      workspace_id,
      { ...filters, person_ids },
      { now, page_size: PAGE },
    )) {
      people += page.length
      if (people > MAX_DATASET_PEOPLE) throw new AppError('too_many_people')
      await addPage(client, dataset, page)
    }
    if (dataset.row_count === 0) throw new AppError('no_people')
    const { columns, row_count: added, next_lead_index } = dataset
    await describeDataset(client, id, { columns, added, next_lead_index }, now)
    return id
  })
  return getDataset(workspace_id, dataset_id)
}

async function addPage(client: Statements, dataset: LockedDataset, people: ListedPerson[]): Promise<void> {
  const { added, columns } = await sortRows(client, dataset, people.map(asRow))
  await insertRows(client, dataset, added)
  dataset.columns = columns.withNew(filledKeys(added))
  dataset.row_count += added.length
  dataset.next_lead_index += added.length
}
