import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { dateTime, dateTimeInput, pathId } from '#lib/contracts/fields'

export const PersonHold = z
  .object({
    email: z.string(),
    until: dateTime().describe('No campaign contacts the person before this.'),
    last_day: z.iso
      .date()
      .nullable()
      .describe('The last day away, as the person stated. Null if none was given.'),
    said: z.string().nullable().describe('The words of the notice. Null if a member set the hold.'),
    deputy_email: z
      .string()
      .nullable()
      .describe('The stand-in named in the notice. Opener does not contact them.'),
    deputy_name: z.string().nullable(),
  })
  .meta({ id: 'PersonHold' })
export type PersonHold = z.output<typeof PersonHold>

const common = {
  tag: 'Campaigns',
  errors: 'flat',
  method: 'POST',
  params: z.object({ campaign_id: pathId(), campaign_lead_id: pathId() }),
  status: 200,
} as const

export const HoldCampaignLead = contract({
  ...common,
  id: 'holdCampaignLead',
  path: '/campaigns/{campaign_id}/leads/{campaign_lead_id}/hold',
  summary: 'Hold the person of a lead',
  description:
    'No campaign in the workspace contacts the person before `until`, by email or social. Replaces any absence notice. The person is identified by the lead’s address: 409 if it has none.',
  body: z.object({ until: dateTimeInput().describe('At most a year from now.') }),
  response: PersonHold,
  scope: 'write',
  refusals: [404, 409],
})

export const ReleaseCampaignLead = contract({
  ...common,
  id: 'releaseCampaignLead',
  path: '/campaigns/{campaign_id}/leads/{campaign_lead_id}/release',
  summary: 'Lift the hold of a person',
  description:
    'Campaigns continue with the person, and overdue steps are due now. Lifts holds set by an absence notice or a member. Does nothing if there is no hold.',
  response: z.object({ was_held: z.boolean() }),
  scope: 'send',
  refusals: [404, 409],
  previews: { explainCampaign: {}, forecastCampaign: { limit: 5 } },
})
