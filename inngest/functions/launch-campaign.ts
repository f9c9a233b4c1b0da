import { CampaignLaunchRequested, CampaignStopped, SearchFillRequested } from '#lib/events/catalog'
import { inngest } from '#lib/events/client'
import { ring, ringAfter } from '#lib/services/instance/bells'
import { activateCampaign, enrolLeads, failLaunch, launchStillPossible } from '#lib/services/launch/enrolment'

/** Checks, enrols, activates. Each step may run twice; a failure leaves the campaign `failed` with its reason. */
export const launchCampaign = inngest.createFunction(
  {
    id: 'launch-campaign',
    triggers: [CampaignLaunchRequested],
    concurrency: { key: 'event.data.campaign_id', limit: 1 },
    cancelOn: [{ event: CampaignStopped.event, match: 'data.campaign_id' }],
    retries: 3,
    onFailure: async ({ event, error }) => {
      await ringAfter(failLaunch(event.data.event.data.campaign_id, error.message))
    },
  },
  async ({ event, step }) => {
    const { campaign_id } = event.data
    const possible = await step.run('check', () => ringAfter(launchStillPossible(campaign_id)))
    if (!possible) return { outcome: 'refused' }
    const { enrolled } = await step.run('enrol', () => enrolLeads(campaign_id, new Date()))
    const active = await step.run('activate', async () => {
      const isActive = await activateCampaign(campaign_id, new Date())
      if (isActive) await ring(new Date(), { pause_ms: 0 })
      return isActive
    })
    await step.sendEvent('fill-searches', SearchFillRequested.create({}))
    return { outcome: active ? 'active' : 'stopped', enrolled }
  },
)
