import type { PoolClient } from 'pg'
import { CreateCampaign } from '#lib/contracts/campaigns/campaigns'
import { uuidv7 } from '#lib/db/uuid'
import { settleSchedule } from '#lib/domain/calendar/sending-windows'
import { inventPerson } from '#lib/domain/sandbox/history/people'
import { LAST_WORD, writtenFor } from '#lib/domain/sandbox/history/words'
import type { Maker } from '#lib/domain/workspaces/maker'
import { addHistoryRows } from '#lib/services/sandbox/history/rows'

export const REVIEWED = { name: 'Sample: a campaign to review', people: 12 }

const TEXT =
  'Hello {{ first_name | default: "there" }},\n\na word about {{ company | default: "your team" }} in {{ city | default: "your city" }}?'

type Wanted = { dataset_id: string; mailbox_id: string; timezone: string; first_person: number; now: Date }

/** A draft whose first texts were written by AI, one per lead. None is approved, and none is sent before that. */
export async function addReview(client: PoolClient, owner: Maker, wanted: Wanted): Promise<string> {
  const { dataset_id, mailbox_id, timezone, first_person, now } = wanted
  const campaign_id = uuidv7(now)
  const run_id = uuidv7(now)
  const { workspace_id, user_id } = owner
  const fields = settleSchedule(
    CreateCampaign.body.parse({
      name: REVIEWED.name,
      description: 'Made-up people at reserved domains. Review its texts under Personalize, then launch it.',
      dataset_id,
      alias_ids: [mailbox_id],
      timezone,
      unreviewed_launch_policy: 'hold',
      steps_config: [
        { subject: 'A word about {{ company }}', message_template: TEXT, ai_personalization_enabled: true },
        { delay_days: 4, message_template: LAST_WORD },
      ],
    }),
  )
  const made = { created_at: now, updated_at: now }
  await addHistoryRows(client, 'campaigns', [
    { ...fields, ...made, campaign_id, workspace_id, user_id, status: 'draft' },
  ])
  await addHistoryRows(client, 'personalization_runs', [
    {
      ...{ run_id, workspace_id, dataset_id, campaign_id, step: 1, prompt: '', ...made },
      template: { subject: 'A word about {{ company }}', body: TEXT },
      model: 'Sample writer',
      status: 'completed',
      total: REVIEWED.people,
      next_index: REVIEWED.people,
      generated_count: REVIEWED.people,
      started_at: now,
      completed_at: now,
    },
  ])
  const people = Array.from({ length: REVIEWED.people }, (_, index) => inventPerson(first_person + index))
  await addHistoryRows(
    client,
    'generations',
    people.map((person, lead_index) => ({
      ...{ run_id, workspace_id, campaign_id, step: 1, lead_index, created_at: now },
      lead_snapshot: person,
      status: 'generated',
      generated_at: now,
      ...writtenFor(person),
      model: 'Sample writer',
    })),
  )
  return campaign_id
}
