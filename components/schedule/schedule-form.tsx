import { KeptFields } from '#components/drafts/kept-fields'
import { ABOVE_ROW, SaveRow } from '#components/drafts/save-row'
import type { FormAction } from '#components/ui/controls/action-form'
import { Callout } from '#components/ui/feedback/callout'
import { Panel } from '#components/ui/layout/panel'
import type { Campaign } from '#lib/contracts/campaigns/campaign'
import type { Mailbox } from '#lib/contracts/senders/mailbox'
import { listWindows } from '#lib/domain/calendar/sending-windows'
import { editScope } from '#lib/domain/campaigns/campaign-status'
import { LiveForm, type PreviewEdit } from '../campaigns/live-form.tsx'
import { ClockFields, type KnownClocks } from './clock-fields.tsx'
import { type HolidayCountry, HolidayFields } from './holiday-fields.tsx'
import { PaceSlider } from './pace-slider.tsx'
import { WeekGrid } from './week-grid.tsx'

type Props = {
  campaign: Campaign
  mailboxes: Mailbox[]
  /** Set if the campaign's owner may send only from these mailboxes. */
  onlyGiven?: boolean | undefined
  zones: string[]
  /** For how many people of the list the zone is known; null if there are too many to count. */
  known: KnownClocks | null
  holidays: HolidayCountry[]
  save: FormAction
  preview: PreviewEdit | null
}

/** Field names are those of PATCH /campaigns; `send_days` and `alias_ids` come once per chosen value. */
export function ScheduleForm({
  campaign,
  mailboxes,
  onlyGiven,
  zones,
  known,
  holidays,
  save,
  preview,
}: Props) {
  const isLocked = editScope(campaign.status) === 'none' && campaign.status !== 'failed'
  return (
    <LiveForm action={save} preview={preview} className={`flex flex-col gap-4 ${ABOVE_ROW}`}>
      <KeptFields
        name={`schedule:${campaign.campaign_id}`}
        what="The schedule"
        version={campaign.version}
        values={toFormValues(campaign)}
      />
      {isLocked && (
        <Callout
          title={
            campaign.status === 'completed'
              ? 'The campaign is over, so its schedule is locked'
              : 'The schedule cannot be changed while the campaign is running'
          }
        >
          {campaign.status !== 'completed' &&
            'Pause it first. Sent messages do not change, and overdue steps are not sent in a burst afterwards.'}
        </Callout>
      )}
      <fieldset disabled={isLocked} className="grid min-w-0 gap-4">
        <legend className="sr-only">Schedule</legend>
        <Panel title="Window" description="Messages are sent only inside it. A day can have several windows.">
          <div className="grid gap-4">
            <WeekGrid campaign={campaign} isLocked={isLocked} />
            <ClockFields campaign={campaign} zones={zones} known={known} />
            <HolidayFields
              countries={holidays}
              country={campaign.holiday_country}
              region={campaign.holiday_region}
            />
          </div>
        </Panel>
        <Pace campaign={campaign} mailboxes={mailboxes} onlyGiven={onlyGiven} />
      </fieldset>
      {!isLocked && <SaveRow>Save schedule</SaveRow>}
    </LiveForm>
  )
}

function toWindowValues(campaign: Campaign) {
  const [first, ...further] = listWindows(campaign).map(({ start, end }) => ({
    from: start.slice(0, 5),
    to: end.slice(0, 5),
  }))
  return {
    sending_window_start: first?.from,
    sending_window_end: first?.to,
    further_windows: further.length > 0 ? JSON.stringify(further) : '',
  }
}

const toFormValues = (campaign: Campaign) => ({
  send_days: campaign.send_days,
  ...toWindowValues(campaign),
  timezone: campaign.timezone,
  schedule_timezone: campaign.schedule_timezone,
  holiday_country: campaign.holiday_country,
  holiday_region: campaign.holiday_region,
  daily_limit: campaign.daily_limit,
  min_interval_seconds: campaign.min_interval_seconds,
  alias_ids: campaign.alias_ids ?? [],
})

type Choice = Pick<Props, 'mailboxes' | 'onlyGiven'> & { chosen: string[] | null }

function Mailboxes({ mailboxes, onlyGiven, chosen }: Choice) {
  // A selected mailbox without a checkbox would be dropped by the next save.
  const gone = chosen?.filter((id) => mailboxes.every(({ mailbox_id }) => mailbox_id !== id)) ?? []
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-medium">Send from</legend>
      <div className="grid max-h-44 gap-1 overflow-y-auto">
        {mailboxes.map(({ mailbox_id, address, limits }) => (
          <MailboxChoice
            key={mailbox_id}
            mailbox_id={mailbox_id}
            isChosen={chosen?.includes(mailbox_id)}
            label={address}
            note={`up to ${limits.today.toLocaleString('en')} today`}
          />
        ))}
        {gone.map((id) => (
          <MailboxChoice
            key={id}
            mailbox_id={id}
            isChosen
            label="A mailbox that is not listed"
            note="deleted"
          />
        ))}
      </div>
      <p className="mt-1 text-sm text-muted">
        {onlyGiven
          ? 'The mailboxes an admin gave you.'
          : 'If none is selected, all connected mailboxes take turns.'}
      </p>
    </fieldset>
  )
}

type OneMailbox = { mailbox_id: string; isChosen: boolean | undefined; label: string; note: string }

const MailboxChoice = ({ mailbox_id, isChosen, label, note }: OneMailbox) => (
  <label className="flex min-h-6 items-center gap-2 text-sm">
    <input
      type="checkbox"
      name="alias_ids"
      value={mailbox_id}
      defaultChecked={isChosen}
      className="size-4 shrink-0 accent-accent"
    />
    <span className="min-w-0 wrap-anywhere">{label}</span>
    <span className="ml-auto shrink-0 text-muted">{note}</span>
  </label>
)

function Pace({ campaign, mailboxes, onlyGiven }: Pick<Props, 'campaign' | 'mailboxes' | 'onlyGiven'>) {
  return (
    <Panel title="Pace" description="The limits of each mailbox and account also apply.">
      <div className="grid gap-4">
        <PaceSlider
          name="daily_limit"
          label="Daily limit"
          slider_label="Slider of the daily limit"
          hint={`Counted in ${campaign.timezone}.`}
          value={campaign.daily_limit}
          min={1}
          max={10_000}
          slider_max={500}
          step={5}
        />
        <PaceSlider
          name="min_interval_seconds"
          label="Seconds between sends"
          slider_label="Slider of the pause"
          value={campaign.min_interval_seconds}
          min={0}
          max={86_400}
          slider_max={1_800}
          step={10}
        />
        <Mailboxes mailboxes={mailboxes} onlyGiven={onlyGiven} chosen={campaign.alias_ids} />
      </div>
    </Panel>
  )
}
