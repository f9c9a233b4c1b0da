import { CampaignFilters } from '#components/campaigns/campaign-filters'
import { CampaignHeader } from '#components/campaigns/campaign-header'
import { CampaignTable } from '#components/campaigns/campaign-table'
import { CreateCampaignForm } from '#components/campaigns/create-form'
import { LaunchForm } from '#components/campaigns/launch-form'
import { leadLines } from '#components/leads/lead-line'
import { LeadTable } from '#components/leads/lead-table'
import { ReviewList } from '#components/leads/review-list'
import { ScheduleForm } from '#components/schedule/schedule-form'
import { CAMPAIGNS, COUNTS, DATASETS, LEADS, MAILBOXES, NOW } from './sample-data.ts'
import { actSample, saveSample } from './samples.ts'

const HOLIDAYS = [{ code: 'DE', name: 'Germany', regions: [{ code: 'BY', name: 'Bayern' }] }]
const ZONES = ['Europe/Stockholm', 'America/New_York', 'UTC']
const KNOWN = { people: 500, known: 412, zones: [{ timezone: 'America/New_York', people: 250 }] }
const SCHEDULE = { mailboxes: MAILBOXES, zones: ZONES, holidays: HOLIDAYS, known: KNOWN }
const ACTS = { pause: actSample, resume: actSample, duplicate: actSample, remove: actSample }
const OWNERS = [
  { user_id: '1', name: 'Petra Person' },
  { user_id: '2', name: 'Ada Admin' },
]
const LIST = { page: 1, page_size: 20 }
const PLAN = {
  total_actions: 3720,
  first_at: '2026-11-02T08:00:00.000Z',
  finish_at: '2026-12-04T15:20:00.000Z',
  limited_by: 'daily_limit',
} as const

export function Campaigns() {
  const [campaign, , , , draft] = CAMPAIGNS
  if (!campaign || !draft) return null
  return (
    <>
      <CampaignFilters
        query={{ status_filter: 'active' }}
        counts={{ active: 2, draft: 1 }}
        me="1"
        owners={OWNERS}
      />
      <CampaignTable
        campaigns={CAMPAIGNS}
        total={1240}
        isTeam
        query={{}}
        now={NOW}
        acts={ACTS}
        whys={{}}
        {...LIST}
      />
      <CampaignHeader campaign={campaign} tab="overview" now={NOW} acts={ACTS} />
      <LeadTable
        campaign={campaign}
        query={{}}
        first={{ items: LEADS.map(leadLines(campaign, new Date(NOW))), total: LEADS.length, ...LIST }}
        counts={COUNTS}
        waiting={1}
      />
      <ScheduleForm campaign={draft} {...SCHEDULE} save={saveSample} preview={null} />
      <ReviewList
        checks={[
          { level: 'passes', title: 'Two mailboxes are connected', detail: 'Together 165 messages a day.' },
          {
            level: 'warns',
            title: '12 leads have no first name',
            detail: 'They get the fallback “there”.',
            remedy: { href: '/dev/ui', label: 'Show them' },
          },
          {
            level: 'blocks',
            title: 'Step 2 merges in “compnay”, which no lead has',
            remedy: { href: '/dev/ui', label: 'Fix the text' },
          },
          { level: 'informs', title: 'Finishes on Thu 3 Dec', detail: 'The daily limit decides.' },
        ]}
      />
      <LaunchForm
        launch={saveSample}
        leads={1240}
        timezone="Europe/Stockholm"
        blocks={0}
        plan={PLAN}
        starts="tomorrow at 09:00 in Stockholm"
        finish="The last of 3,720 messages leaves on 4 Dec; what takes longest is the daily limit."
        policy="hold"
      />
      <CreateCampaignForm create={saveSample} datasets={DATASETS} zones={ZONES} zone="UTC" />
    </>
  )
}
