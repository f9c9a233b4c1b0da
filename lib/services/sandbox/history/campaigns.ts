import { CreateCampaign } from '#lib/contracts/campaigns/campaigns'
import { settleSchedule } from '#lib/domain/calendar/sending-windows'
import { LAST_WORD, REMINDER } from '#lib/domain/sandbox/history/words'

const DAY_MS = 86_400_000

/** A past campaign: how many people it has, the seconds between two mails, and how long ago it was launched. */
type Past = {
  name: string
  description: string
  people: number
  daily_limit: number
  interval: number
  launched_before: number
}

export const PAST_CAMPAIGNS: readonly Past[] = [
  {
    name: 'Sample: a finished campaign',
    description: 'Made-up people at reserved domains. Nobody was contacted, and its results are made up.',
    people: 120,
    daily_limit: 30,
    interval: 840,
    launched_before: 34 * DAY_MS,
  },
  {
    name: 'Sample: a running campaign',
    description:
      'Made-up people at reserved domains. What it has sent so far is made up. From now on, its emails arrive in the sandbox.',
    people: 100,
    daily_limit: 15,
    interval: 1_500,
    launched_before: 9 * DAY_MS,
  },
]

/** Three steps on working days, the first in two variants. */
export const pastCampaign = (
  { name, description, daily_limit, interval }: Past,
  wanted: { dataset_id: string; mailbox_id: string; template_ids: string[]; timezone: string },
) =>
  settleSchedule(
    CreateCampaign.body.parse({
      name,
      description,
      daily_limit,
      dataset_id: wanted.dataset_id,
      alias_ids: [wanted.mailbox_id],
      timezone: wanted.timezone,
      sending_window_start: '09:00',
      sending_window_end: '17:00',
      send_days: ['mon', 'tue', 'wed', 'thu', 'fri'],
      min_interval_seconds: interval,
      steps_config: [
        {
          variants: wanted.template_ids.map((template_id, index) => ({
            label: 'AB'[index] ?? 'C',
            weight: 50,
            template_id,
          })),
        },
        { delay_days: 3, message_template: REMINDER },
        { delay_days: 4, message_template: LAST_WORD },
      ],
    }),
  )
