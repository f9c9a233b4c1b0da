import { ActionButton } from '#components/ui/controls/action-button'
import { ActionForm, type FormAction, type FormResult } from '#components/ui/controls/action-form'
import { Checkbox } from '#components/ui/controls/checkbox'
import { Field } from '#components/ui/controls/field'
import { Link } from '#components/ui/controls/link'
import { Select } from '#components/ui/controls/select'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Panel } from '#components/ui/layout/panel'
import { AskAdmin } from '#components/workspaces/ask-admin'
import type { Agency } from '#lib/contracts/workspaces/agency'
import type { Role } from '#lib/domain/workspaces/roles'

type Leave = (workspace_id: string, suppressions: 'copy' | 'release') => Promise<FormResult>
type Props = {
  agency: Agency
  role: Role
  /** Other workspaces the user owns. */
  owned: { workspace_id: string; name: string }[]
  leave: Leave
  put: FormAction
  share: FormAction
}

/** The parent workspace, or the child workspaces. */
export function AgencyPanels({ agency, role, owned, leave, put, share }: Props) {
  const { parent, children } = agency
  return (
    <>
      {parent && <ParentPanel agency={agency} name={parent.name} role={role} leave={leave} />}
      {!parent && children.length === 0 && <PutPanel agency={agency} role={role} owned={owned} put={put} />}
      {!parent && <ChildrenPanel agency={agency} role={role} leave={leave} />}
      {!parent && <SharePanel agency={agency} role={role} share={share} />}
    </>
  )
}

function ParentPanel({
  agency,
  name,
  role,
  leave,
}: Pick<Props, 'agency' | 'role' | 'leave'> & { name: string }) {
  const { workspace_id, inherited_suppressions: count, billed_by_parent: isPaid } = agency
  return (
    <Panel
      title={`Parent: ${name}`}
      description="This workspace does not contact people on its suppression list and can use its shared templates."
    >
      <TemplateCampaigns campaigns={agency.template_campaigns} parent={name} />
      <AskAdmin role={role} needs="owner">
        <div className="flex flex-wrap gap-2">
          <LeaveButtons
            workspace_id={workspace_id}
            parent={name}
            count={count}
            isPaid={isPaid}
            leave={leave}
          />
        </div>
      </AskAdmin>
    </Panel>
  )
}

/** What leaving means for campaigns that use the parent's templates. */
function TemplateCampaigns({
  campaigns,
  parent,
}: {
  campaigns: Agency['template_campaigns']
  parent: string
}) {
  if (campaigns.length === 0) return null
  return (
    <div className="mb-4 text-sm">
      <p className="mb-1">Campaigns that use its templates, and what leaving {parent} changes:</p>
      <ul className="grid gap-1">
        {campaigns.map(({ campaign_id, name, keeps_text }) => (
          <li key={campaign_id} className="wrap-anywhere">
            <Link
              href={`/campaigns/${campaign_id}/sequence`}
              className="rounded-xs font-medium hover:underline"
            >
              {name}
            </Link>{' '}
            <span className="text-muted">
              {keeps_text
                ? 'keeps the text it was launched with'
                : 'loses the text; choose another before launch'}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

type Leaving = { workspace_id: string; parent: string; count: number; isPaid: boolean; leave: Leave }

/** Leaving the parent allows contacting people whom only the parent suppresses, unless its list is copied. */
function LeaveButtons({ workspace_id, parent, count, isPaid, leave }: Leaving) {
  const plan = isPaid ? ` ${parent} no longer pays for this workspace. Its API keys keep working.` : ''
  const amount = `${count.toLocaleString('en')} ${count === 1 ? 'entry' : 'entries'}`
  return (
    <>
      <ActionButton
        act={leave.bind(null, workspace_id, 'copy')}
        confirm={{
          title: `Leave ${parent}?`,
          description:
            (count > 0
              ? `${amount} of its suppressions are copied to this workspace. Later ones no longer apply here.`
              : 'Its suppressions no longer apply here.') + plan,
          label: 'Leave',
          danger: true,
        }}
      >
        Leave
      </ActionButton>
      {count > 0 && (
        <ActionButton
          variant="ghost"
          act={leave.bind(null, workspace_id, 'release')}
          confirm={{
            title: `Leave ${parent} without its suppressions?`,
            description: `${amount} that only ${parent} suppresses can be contacted from this workspace again.${plan}`,
            label: 'Leave without them',
            danger: true,
          }}
        >
          Leave without its suppressions
        </ActionButton>
      )}
    </>
  )
}

function PutPanel({ agency, role, owned, put }: Pick<Props, 'agency' | 'role' | 'owned' | 'put'>) {
  const options = owned.map(({ workspace_id, name }) => ({ value: workspace_id, label: name }))
  return (
    <Panel
      title="Parent"
      description="Its suppressions apply here too, and you can use its shared templates. You must own both workspaces."
    >
      <AskAdmin role={role} needs="owner">
        {options.length === 0 ? (
          <p className="text-sm text-muted">You own no other workspace that could be the parent.</p>
        ) : (
          <ActionForm action={put} className="flex max-w-xl flex-wrap items-end gap-3">
            <input type="hidden" name="version" value={agency.version} />
            <Field label="Parent" className="min-w-48 grow">
              <Select name="parent_workspace_id" options={options} placeholder="Choose a workspace" />
            </Field>
            <SubmitButton>Set parent</SubmitButton>
          </ActionForm>
        )}
      </AskAdmin>
    </Panel>
  )
}

const losing = (drafts: number) =>
  drafts === 0
    ? ''
    : ` ${drafts.toLocaleString('en')} ${drafts === 1 ? 'campaign that is not launched loses the text' : 'campaigns that are not launched lose the texts'} of your templates.`

function ChildrenPanel({ agency, role, leave }: Pick<Props, 'agency' | 'role' | 'leave'>) {
  const { children } = agency
  if (children.length === 0) return null
  return (
    <Panel
      title="Children"
      description="They contact nobody on this workspace’s suppression list and can use the templates it shares."
      flush
    >
      <ul className="divide-y divide-border">
        {children.map(({ workspace_id, name, billed_by_parent, drafts_with_templates: drafts }) => (
          <li
            key={workspace_id}
            className="flex flex-wrap items-center justify-between gap-2 px-4 py-2 text-sm"
          >
            <span className="wrap-anywhere">{name}</span>
            <AskAdmin role={role} needs="owner">
              <ActionButton
                size="sm"
                variant="ghost"
                aria-label={`Remove child: ${name}`}
                act={leave.bind(null, workspace_id, 'copy')}
                confirm={{
                  title: `Remove ${name} as a child?`,
                  description: `Your suppressions are copied to it, so nobody is contacted again. Later ones no longer apply there.${billed_by_parent ? ' You no longer pay for it. Its API keys keep working.' : ''}${losing(drafts)}`,
                  label: 'Remove child',
                  danger: true,
                }}
              >
                Remove
              </ActionButton>
            </AskAdmin>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function SharePanel({ agency, role, share }: Pick<Props, 'agency' | 'role' | 'share'>) {
  return (
    <Panel
      title="Unsubscribes"
      description="Which workspaces stop when somebody unsubscribes from a child workspace."
    >
      <ActionForm version={agency.version} action={share} className="grid max-w-xl gap-4">
        <input type="hidden" name="version" value={agency.version} />
        <Checkbox
          name="share_unsubscribes"
          label="Unsubscribes count for this workspace and all its children"
          hint="Spam complaints too. If off, only the workspace that sent the email stops. Applies from now on."
          defaultChecked={agency.share_unsubscribes}
        />
        <AskAdmin role={role} needs="owner">
          <div>
            <SubmitButton>Save</SubmitButton>
          </div>
        </AskAdmin>
      </ActionForm>
    </Panel>
  )
}
