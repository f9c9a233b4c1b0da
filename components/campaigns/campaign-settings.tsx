import { KeptFields } from '#components/drafts/kept-fields'
import { ABOVE_ROW, SaveRow } from '#components/drafts/save-row'
import type { FormAction } from '#components/ui/controls/action-form'
import { Checkbox } from '#components/ui/controls/checkbox'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { Link } from '#components/ui/controls/link'
import { RadioGroup } from '#components/ui/controls/radio-group'
import { Select } from '#components/ui/controls/select'
import { Textarea } from '#components/ui/controls/textarea'
import { Callout } from '#components/ui/feedback/callout'
import { Panel } from '#components/ui/layout/panel'
import type { Campaign } from '#lib/contracts/campaigns/campaign'
import type { ConnectedAccount } from '#lib/contracts/senders/connected-accounts'
import type { Mailbox } from '#lib/contracts/senders/mailbox'
import { editScope } from '#lib/domain/campaigns/campaign-status'
import { LiveForm, type PreviewEdit } from './live-form.tsx'

type Props = {
  campaign: Campaign
  mailboxes: Mailbox[]
  accounts: ConnectedAccount[]
  /** The campaign's owner may use only senders assigned to them, so an account must be chosen. */
  onlyGiven: boolean
  save: FormAction
  preview: PreviewEdit | null
}

const LINK = 'rounded-xs font-medium text-accent-text hover:underline'

/**
 * Settings for the whole campaign other than its steps and schedule. Field names are those of PATCH
 * /campaigns.
 */
export function CampaignSettings({ campaign, mailboxes, accounts, onlyGiven, save, preview }: Props) {
  const isLocked = editScope(campaign.status) === 'none'
  return (
    <LiveForm action={save} preview={preview} className={`flex flex-col gap-4 *:min-w-0 ${ABOVE_ROW}`}>
      <KeptFields
        name={`campaign:${campaign.campaign_id}`}
        what="The campaign"
        version={campaign.version}
        values={toFormValues(campaign)}
      />
      {isLocked && (
        <Callout title="These settings cannot be changed now">
          {mayPause(campaign)
            ? 'Pause the campaign first. There is no catch-up burst afterwards.'
            : 'The campaign is over. Duplicate it to use other settings.'}
        </Callout>
      )}
      <fieldset disabled={isLocked} className="grid min-w-0 gap-4">
        <legend className="sr-only">Settings of the campaign</legend>
        <Panel title="Name">
          <div className="grid gap-4">
            <Field label="Name" name="name" required>
              <Input maxLength={255} defaultValue={campaign.name} />
            </Field>
            <Field label="Notes" name="description" hint="Leads never see them.">
              <Textarea rows={3} maxLength={10_000} defaultValue={campaign.description ?? ''} />
            </Field>
          </div>
        </Panel>
        <Senders campaign={campaign} mailboxes={mailboxes} accounts={accounts} onlyGiven={onlyGiven} />
        <Panel
          title="When it stops"
          description="A bounce, complaint or unsubscribe always ends the lead. So does a reply, unless a rule below says otherwise."
        >
          <Checkbox
            name="stop_on_company_reply"
            defaultChecked={campaign.stop_on_company_reply}
            label="A reply ends every lead of the same company"
            hint="Matched by email domain. Free email domains do not count as a company."
          />
        </Panel>
        <OtherCampaigns campaign={campaign} />
        <BadAddresses campaign={campaign} />
        <CopiesOfEmails campaign={campaign} />
        <Texts campaign={campaign} />
        <Tracking campaign={campaign} />
      </fieldset>
      {!isLocked && <SaveRow>Save settings</SaveRow>}
    </LiveForm>
  )
}

const toFormValues = (campaign: Campaign) => ({
  name: campaign.name,
  description: campaign.description,
  connected_account_id: campaign.connected_account_id,
  sender_rotation: campaign.sender_rotation,
  match_providers: campaign.match_providers,
  stop_on_company_reply: campaign.stop_on_company_reply,
  skip_emails: campaign.skip_emails,
  contact_policy_override: campaign.contact_policy_override,
  bcc_address: campaign.bcc_address,
  unreviewed_launch_policy: campaign.unreviewed_launch_policy,
  auto_variant_weights: campaign.auto_variant_weights,
})

const OtherCampaigns = ({ campaign }: Pick<Props, 'campaign'>) => (
  <Panel
    title="Other campaigns"
    description="Under your contact policy, people in another campaign wait until they finish it, and people who have left are skipped."
  >
    <Field
      label="Reason to contact them anyway"
      name="contact_policy_override"
      hint="Logged in the activity. Leave empty to keep to the contact policy."
    >
      <Input maxLength={500} defaultValue={campaign.contact_policy_override ?? ''} />
    </Field>
  </Panel>
)

const BadAddresses = ({ campaign }: Pick<Props, 'campaign'>) => (
  <Panel
    title="Bad addresses"
    description="Leads to skip at launch, based on email verification. The launch checks show how many."
  >
    <Field label="Skip" name="skip_emails">
      <Select
        defaultValue={campaign.skip_emails}
        options={[
          { value: 'invalid', label: 'Invalid addresses' },
          { value: 'invalid_and_risky', label: 'Invalid and risky addresses' },
          { value: 'none', label: 'Nobody' },
        ]}
      />
    </Field>
  </Panel>
)

const CopiesOfEmails = ({ campaign }: Pick<Props, 'campaign'>) => (
  <Panel title="Copies" description="For the dropbox address of your CRM. Recipients do not see it.">
    <Field
      label="Bcc on every email"
      name="bcc_address"
      hint="Copies do not count towards limits. Leave empty for no copies."
    >
      <Input
        type="email"
        maxLength={254}
        autoComplete="off"
        placeholder="dropbox@crm.example"
        defaultValue={campaign.bcc_address ?? ''}
      />
    </Field>
  </Panel>
)

const mayPause = ({ status }: Campaign) => status !== 'completed' && status !== 'failed'

function Senders({ campaign, mailboxes, accounts, onlyGiven }: Omit<Props, 'save' | 'preview'>) {
  const { alias_ids, connected_account_id } = campaign
  const named = mailboxes.filter(({ mailbox_id }) => alias_ids?.includes(mailbox_id))
  const options = [
    { value: '', label: onlyGiven ? 'Choose one' : 'All connected accounts, one per lead' },
    ...accounts.map(({ account_id, name, status }) => ({
      value: account_id,
      label:
        status === 'connected' ? name : `${name} (${status === 'failing' ? 'cannot send' : 'disconnected'})`,
    })),
  ]
  return (
    <Panel title="Senders">
      <div className="grid gap-4">
        <p className="text-sm wrap-anywhere">
          <span className="font-medium">Mailboxes: </span>
          {alias_ids === null
            ? `all of them (${mailboxes.length})`
            : named.map(({ address }) => address).join(', ') || 'none left'}
          .{' '}
          <Link href={`/campaigns/${campaign.campaign_id}/schedule`} className={LINK}>
            Choose them in the schedule
          </Link>
        </p>
        <Field label="Account for social steps" name="connected_account_id">
          <Select options={options} defaultValue={connected_account_id ?? ''} />
        </Field>
        <RadioGroup
          name="sender_rotation"
          legend="Assign new leads to"
          defaultValue={campaign.sender_rotation}
          choices={[
            { value: 'senders', label: 'The mailbox or account with the most capacity that day' },
            {
              value: 'members',
              label: 'Members, round robin',
              hint: 'Each member gets the same number of leads, no matter how many mailboxes or accounts they have. Members who share one split its leads.',
            },
          ]}
        />
        <Checkbox
          name="match_providers"
          defaultChecked={campaign.match_providers}
          label="Match providers"
          hint="Leads on Google are emailed from a Google mailbox, leads on Microsoft from a Microsoft one. If none is free, another mailbox sends, so nobody waits."
        />
      </div>
    </Panel>
  )
}

/** "Opens are tracked in step 1 and 3." */
function describeTracking(
  { steps_config }: Campaign,
  key: 'track_opens' | 'track_clicks',
  what: string,
): string {
  const steps = steps_config.filter((step) => step.channel === 'email' && step[key]).map(({ step }) => step)
  if (steps.length === 0) return `${what} are not tracked.`
  return `${what} are tracked in step ${new Intl.ListFormat('en').format(steps.map(String))}.`
}

function Texts({ campaign }: Pick<Props, 'campaign'>) {
  return (
    <Panel title="Texts and variants">
      <div className="grid gap-4">
        <RadioGroup
          name="unreviewed_launch_policy"
          legend="Unapproved personalized texts"
          defaultValue={campaign.unreviewed_launch_policy}
          choices={[
            { value: 'launch_default', label: 'Send the step’s own text' },
            { value: 'hold', label: 'Hold', hint: 'The lead waits until its text is approved.' },
            {
              value: 'cancel',
              label: 'Cancel a scheduled start',
              hint: 'The campaign goes back to draft if its texts are not reviewed by then.',
            },
          ]}
        />
        <Checkbox
          name="auto_variant_weights"
          defaultChecked={campaign.auto_variant_weights}
          label="Shift weight to variants that get more replies"
          hint="Once a day, a little at a time; each change is logged."
        />
      </div>
    </Panel>
  )
}

function Tracking({ campaign }: Pick<Props, 'campaign'>) {
  return (
    <Panel title="Tracking and unsubscribing">
      <ul className="grid gap-1.5 text-sm">
        <li>{describeTracking(campaign, 'track_opens', 'Opens')}</li>
        <li>{describeTracking(campaign, 'track_clicks', 'Clicks')}</li>
        <li>
          Every email has a one-click unsubscribe, in its header and as a link in its text. Anyone who uses it
          is suppressed immediately.
        </li>
        <li>
          <Link href={`/campaigns/${campaign.campaign_id}/sequence`} className={LINK}>
            Change tracking in the sequence
          </Link>
        </li>
      </ul>
    </Panel>
  )
}
