import type { LaunchCheck } from '#lib/contracts/campaigns/launch-checks'
import { pool } from '#lib/db/client'
import type { ScheduleTimezone } from '#lib/domain/calendar/schedule'
import { leadsOfDataset } from '#lib/services/forecast/leads'
import { clocksOfDataset, findTimezones } from '#lib/services/leads/rows/clocks'

type Found = Omit<LaunchCheck, 'fix'>
type Checked = {
  workspace_id: string
  dataset_id: string
  timezone: string
  schedule_timezone: ScheduleTimezone
}

const countLeads = (count: number) => (count === 1 ? '1 lead' : `${count} leads`)

/** How many leads are contacted in their own time zone; nothing if the schedule uses the campaign's. */
export async function clockChecks(
  { workspace_id, dataset_id, timezone, schedule_timezone }: Checked,
  rule: string,
): Promise<{ warns: Found[]; informs: Found[] }> {
  if (schedule_timezone === 'campaign') return { warns: [], informs: [] }
  const [clocks, enrolled] = await Promise.all([
    clocksOfDataset(pool(), workspace_id, dataset_id),
    leadsOfDataset(pool(), workspace_id, dataset_id, rule),
  ])
  const { timezone_of } = findTimezones(clocks)
  const known = enrolled.filter((lead) => timezone_of(lead) !== null).length
  const unknown = enrolled.length - known
  const by = `the campaign’s time zone, ${timezone}`
  return {
    warns:
      unknown > 0
        ? [
            {
              code: 'lead_clocks_unknown',
              message: `The time zone of ${countLeads(unknown)} is unknown. ${unknown === 1 ? 'It uses' : 'They use'} ${by}.`,
              step: null,
            },
          ]
        : [],
    informs: [
      {
        code: 'lead_clocks',
        message: `${known} of ${countLeads(enrolled.length)} ${known === 1 ? 'is' : 'are'} contacted in their own time zone.`,
        step: null,
      },
    ],
  }
}
