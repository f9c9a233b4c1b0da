import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { dateTime, dateTimeInput, pathId } from '#lib/contracts/fields'

export const PersonHold = z
  .object({
    email: z.string(),
    until: dateTime().describe('No campaign sends the person anything before.'),
    last_day: z.iso
      .date()
      .nullable()
      .describe('The last day away, as the person said. Null if no day was said.'),
    said: z.string().nullable().describe('The words of the notice. Null if a member holds the person.'),
    deputy_email: z
      .string()
      .nullable()
      .describe('Whom the notice names for the meantime. Opener does not write to it.'),
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
    'No campaign of the workspace sends the person anything before `until`, by email or social. Replaces what an absence notice said. The person is known by the address of the lead: 409 if it has none.',
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
    'Campaigns go on with the person: steps whose turn came in the meantime are due now. Lifts what an absence notice or a member set. Does nothing if there is no hold.',
  response: z.object({ was_held: z.boolean() }),
  scope: 'send',
  refusals: [404, 409],
  previews: { explainCampaign: {}, forecastCampaign: { limit: 5 } },
})
