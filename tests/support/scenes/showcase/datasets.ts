import { db } from '#lib/db/client'
import { aDataset } from '#tests/support/scenes/factories'
import type { Owner } from './outreach.ts'
import { LEADS } from './people.ts'

const DAY = 24 * 3_600_000
const before = (now: Date, ms: number) => new Date(now.getTime() - ms)

const EXTRACTED = 17

/** What the extraction read from the row at this index. */
const readFrom = (email: string, place: number) =>
  place % 3 === 0
    ? { field: 'seniority', new_value: 'director', rule: 'title_words', source: 'job_title' }
    : {
        field: 'company_domain',
        new_value: email.split('@')[1] ?? '',
        rule: 'domain_of_email',
        source: 'email',
      }

/** The row with the cell that the extraction filled. */
function extracted<T extends { email: string }>(lead: T, place: number): T {
  if (place >= EXTRACTED) return lead
  const { field, new_value } = readFrom(lead.email, place)
  return { ...lead, [field]: new_value }
}

export async function someDatasets(owner: Owner, now: Date) {
  const { workspace_id } = owner
  const { dataset_id } = await aDataset(owner, LEADS.map(extracted))
  const columns = [...Object.keys(LEADS[0] ?? {}), 'company_domain', 'seniority'].map((key) => ({
    name: key.replace('_', ' ').replace(/^\w/, (letter) => letter.toUpperCase()),
    key,
  }))
  await db.dataset.update({
    where: { dataset_id },
    data: { dataset_name: 'Operations leads, autumn', reject_count: 3, columns },
  })
  const data = { first_name: 'Noor', last_name: 'Bakker', company: 'Havenlicht' }
  const bad = { dataset_id, workspace_id, column_name: 'Email', data }
  await db.datasetReject.createMany({
    data: [
      { ...bad, row_number: 9, cell: 'A9', code: 'email_invalid', reason: 'Not an address.', value: 'n/a' },
      { ...bad, row_number: 17, cell: 'A17', code: 'email_missing', reason: 'No address.', value: null },
      {
        ...bad,
        row_number: 26,
        cell: 'A26',
        code: 'duplicate',
        reason: 'The same address as in row 4.',
        value: LEADS[2]?.email ?? '',
      },
    ],
  })
  await someVerifications(workspace_id, now)
  const session_id = await someSessions({ dataset_id, workspace_id }, now)
  const second = await aDataset(owner, LEADS.slice(0, 6))
  await db.dataset.update({
    where: { dataset_id: second.dataset_id },
    data: { dataset_name: 'Trade fair visitors' },
  })
  return { dataset: dataset_id, session: session_id }
}

async function someSessions(owned: { dataset_id: string; workspace_id: string }, now: Date) {
  const done = { ...owned, status: 'completed' as const, leads_count: LEADS.length, next_index: LEADS.length }
  await db.datasetSession.create({
    data: {
      ...done,
      filename: 'operations-leads-autumn.xlsx',
      processed_count: LEADS.length,
      session_created_at: before(now, 9 * DAY),
      completed_at: before(now, 9 * DAY - 4_000),
    },
  })
  const { session_id } = await db.datasetSession.create({
    data: {
      ...done,
      work: 'extraction',
      pipeline_type: 'extraction',
      options: { fields: ['company_domain', 'seniority'] },
      processed_count: LEADS.length,
      summary: {
        company_domain: { filled: 11, skipped: { not_sure_enough: 13 } },
        seniority: { filled: 6, skipped: { title_says_nothing: 18 } },
      },
      session_created_at: before(now, 8 * DAY),
      completed_at: before(now, 8 * DAY - 6_000),
    },
  })
  const found = await db.datasetSession.create({
    data: {
      ...done,
      work: 'email_finder',
      processed_count: 8,
      leads_count: 8,
      summary: { email: { filled: 5, skipped: { not_sure_enough: 2, nothing_found: 1 } } },
      session_created_at: before(now, 7 * DAY),
      completed_at: before(now, 7 * DAY - 60_000),
    },
  })
  await db.emailFinderResult.createMany({
    data: LEADS.slice(0, 8).map(({ email }, lead_index) => ({
      session_id: found.session_id,
      lead_index,
      workspace_id: owned.workspace_id,
      email: lead_index === 5 ? null : email,
      confidence: lead_index === 5 ? 0 : 95 - lead_index * 6,
      status: lead_index === 5 ? 'unknown' : lead_index > 5 ? 'risky' : 'valid',
      reason:
        lead_index === 5 ? 'No address of theirs was taken.' : 'The mail server takes it, and not any other.',
      filled: lead_index < 5,
    })),
  })
  await db.datasetCellChange.createMany({
    data: LEADS.slice(0, EXTRACTED).map(({ email }, lead_index) => ({
      ...owned,
      ...readFrom(email, lead_index),
      session_id,
      lead_index,
      certainty: 'likely',
    })),
  })
  return found.session_id
}

const VERDICTS = [
  {
    status: 'valid',
    code: 'accepted',
    reason: 'Its mail server accepts it, and refuses names that do not exist.',
  },
  {
    status: 'risky',
    code: 'catch_all',
    reason: 'The domain accepts mail for any name, so this address cannot be confirmed.',
  },
  { status: 'invalid', code: 'no_mail_server', reason: 'The domain has no mail server.' },
  { status: 'valid', code: 'accepted', reason: 'NeverBounce says: valid.', verified_by: 'neverbounce' },
] as const

const someVerifications = (workspace_id: string, now: Date) =>
  db.emailVerification.createMany({
    data: LEADS.slice(0, -3).map(({ email }, at) => ({
      workspace_id,
      email,
      verified_by: 'opener',
      verified_at: before(now, 2 * DAY),
      ...VERDICTS[at % 9 === 8 ? 2 : at % 5 === 4 ? 1 : at % 2 === 1 ? 3 : 0],
    })),
  })
