import { expect, test } from 'vitest'
import { CAMPAIGN_STATUSES, LEAD_STATUSES } from '#lib/domain/campaigns/campaign-status'
import { countStates, LEAD_STATES, leadState, stateRule, statusesAsked } from '#lib/domain/leads/lead-states'

const CASES = CAMPAIGN_STATUSES.flatMap((campaign) => LEAD_STATUSES.map((lead) => [lead, campaign] as const))

test.each(CASES)('a lead that is %s in a campaign that is %s is in exactly one state', (lead, campaign) => {
  const holding = LEAD_STATES.filter((state) => {
    const { statuses, campaign_paused } = stateRule(state)
    return (
      statuses.includes(lead) && (campaign_paused === null || campaign_paused === (campaign === 'paused'))
    )
  })
  expect(holding).toEqual([leadState(lead, campaign)])
})

test.each(CAMPAIGN_STATUSES)(
  'the counts of states add up to all leads while the campaign is %s',
  (campaign) => {
    const counts = Object.fromEntries(LEAD_STATUSES.map((status, place) => [status, 10 ** place])) as Record<
      (typeof LEAD_STATUSES)[number],
      number
    >
    const sum = (values: number[]) => values.reduce((all, one) => all + one, 0)
    expect(sum(Object.values(countStates(counts, campaign)))).toBe(sum(Object.values(counts)))
  },
)

test.each(CASES)(
  'a lead that is %s in a campaign that is %s is asked for by both its names',
  (lead, campaign) => {
    const state = leadState(lead, campaign)
    expect(statusesAsked({}, campaign)).toBe(null)
    expect(statusesAsked({ status: lead }, campaign)).toEqual([lead])
    expect(statusesAsked({ state }, campaign)).toContain(lead)
    expect(statusesAsked({ status: lead, state }, campaign)).toEqual([lead])
    for (const other of LEAD_STATES.filter((one) => one !== state))
      expect(statusesAsked({ status: lead, state: other }, campaign)).toEqual([])
  },
)
