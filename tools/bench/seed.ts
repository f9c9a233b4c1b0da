import { CreateCampaign } from '#lib/contracts/campaigns/campaigns'
import { db, pool } from '#lib/db/client'
import { seal } from '#lib/db/seal'
import type { Maker } from '#lib/domain/workspaces/maker'
import { createCampaign } from '#lib/services/campaigns/campaigns'
import { activateCampaign, enrolLeads } from '#lib/services/launch/enrolment'
import { makeUser } from '#lib/services/workspaces/new-user'

/** An owner with `mailboxes` that send over `port`, without limits of their own. */
export async function anOwner(options: { mailboxes?: number; port?: number; signed_in?: boolean } = {}) {
  const { mailboxes = 1, port = 1 } = options
  const made = await makeUser({ email: `bench-${crypto.randomUUID()}@example.com`, name: 'Bench' })
  if (!made) throw new Error('The address is taken.')
  const { workspace_id, user_id } = made
  await pool().query(
    `INSERT INTO mailboxes (workspace_id, address, name, smtp, daily_limit, min_interval_seconds, updated_at)
     SELECT $1, 'sender' || n || '@example.org', 'Bench', jsonb_build_object('host', '127.0.0.1', 'port', $2::int,
       'security', 'none', 'username', NULL), 10000000, 0, now() FROM generate_series(1, $3) n`,
    [workspace_id, port, mailboxes],
  )
  return { workspace_id, user_id }
}

/** A first step as stored in `steps_config`, with a text that costs nothing to render. */
export const EMAIL_STEP = {
  step: 1,
  delay_days: 0,
  channel: 'email',
  action_type: 'email',
  condition: 'always',
  variants: [],
  subject: 'Hello',
  message_template: 'A word',
  ai_personalization_enabled: false,
  track_clicks: false,
  track_opens: false,
}

/** The text of the benchmark's campaigns, as long as a usual mail. */
export const MAIL_TEXT = `Hello {{ first_name | default: "there" }},

I read about {{ company }} and the work that your team does in {{ city | default: "your city" }}. {Many|A number of|Quite a few}
people with the role of {{ title | default: "yours" }} told us that lists go stale faster than anybody can mend them.

Would it be worth twenty minutes next week to see how others in {{ country | default: "your country" }} handle it? If not, a
short no is just as welcome, and you will not hear from me again.

{Best|Kind} regards
Alex`

const COLUMNS = [
  'email',
  'first_name',
  'last_name',
  'company',
  'title',
  'city',
  'country',
  'website',
  'phone',
  'industry',
]

/** Made-up people in ten columns, as an import leaves them. */
export async function aDataset(
  workspace_id: string,
  rows: number,
  name = `Dataset of ${rows}`,
): Promise<string> {
  const made = await pool().query<{ dataset_id: string }>(
    `INSERT INTO datasets (workspace_id, dataset_name, source_type, row_count, columns, updated_at)
     VALUES ($1, $3, 'xlsx', $2, $4, now()) RETURNING dataset_id`,
    [workspace_id, rows, name, JSON.stringify(COLUMNS.map((key) => ({ name: key, key })))],
  )
  const dataset_id = made.rows[0]?.dataset_id ?? ''
  await pool().query(
    `INSERT INTO dataset_rows (dataset_id, lead_index, workspace_id, email, data)
     SELECT $1, n, $2, 'person' || n || '@company' || n % 9000 || '.example.com', jsonb_build_object(
       'email', 'person' || n || '@company' || n % 9000 || '.example.com', 'first_name', 'First' || n,
       'last_name', 'Last' || n, 'company', 'Company ' || n % 9000, 'title', 'Head of ' || n % 30, 'city', 'City ' || n % 500,
       'country', 'Country ' || n % 60, 'website', 'https://company' || n % 9000 || '.example.com',
       'phone', '+49 30 ' || n, 'industry', 'Industry ' || n % 40)
     FROM generate_series(0, $3 - 1) n`,
    [dataset_id, workspace_id, rows],
  )
  // As autovacuum does within a minute.
  await pool().query('ANALYZE dataset_rows')
  return dataset_id
}

/** A draft over a dataset, created through the schema and service of the API. */
export async function aCampaignOver(owner: Maker, dataset_id: string, fields: Record<string, unknown>) {
  return createCampaign(owner, CreateCampaign.body.parse({ name: 'Bench', dataset_id, ...fields }))
}

type Due = { message_template: string; min_interval_seconds?: number }

/** A launched campaign over all rows, everything due at once: no limit, the window open all day. */
export async function aDueCampaign(owner: Maker, dataset_id: string, due: Due): Promise<string> {
  const { message_template, min_interval_seconds = 0 } = due
  const { campaign_id } = await aCampaignOver(owner, dataset_id, {
    daily_limit: 10_000,
    min_interval_seconds,
    sending_window_start: '00:00',
    sending_window_end: '00:00',
    send_days: [1, 2, 3, 4, 5, 6, 7],
    steps_config: [{ subject: '{{ first_name }}, a word about {{ company }}', message_template }],
  })
  await db.campaign.update({ where: { campaign_id }, data: { status: 'launching' } })
  const now = new Date()
  await enrolLeads(campaign_id, now)
  await activateCampaign(campaign_id, now)
  return campaign_id
}

/** Makes mailboxes sign in before they send, as all real ones do. */
export async function giveSignIns(workspace_id: string): Promise<void> {
  for (const { mailbox_id, smtp, address } of await db.mailbox.findMany({ where: { workspace_id } }))
    await db.mailbox.update({
      where: { mailbox_id },
      data: { smtp: { ...(smtp as object), username: address }, smtp_password: seal('bench') },
    })
}
