import { ActionButton } from '#components/ui/controls/action-button'
import { ActionForm, type FormAction, type FormResult } from '#components/ui/controls/action-form'
import { Field } from '#components/ui/controls/field'
import { Link } from '#components/ui/controls/link'
import { Select } from '#components/ui/controls/select'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Panel } from '#components/ui/layout/panel'
import type { SenderMember } from '#lib/contracts/senders/sender-members'

type Person = { user_id: string; name: string }
type Props = {
  noun: 'mailbox' | 'account'
  given: SenderMember[]
  /** Members to whom it can be assigned. */
  others: Person[]
  /** Null for users who may only view. */
  actions: { give: FormAction; take: (userId: string) => Promise<FormResult> } | null
}

/** Which members may send from it, and which of their campaigns do. */
export function GivenTo({ noun, given, others, actions }: Props) {
  return (
    <Panel
      title="Members"
      description={`Members send only from ${noun === 'account' ? 'an account' : 'a mailbox'} given to them. Admins can use all.`}
      flush
    >
      {given.length === 0 ? (
        <p className="p-4 text-sm text-muted">Not given to anybody.</p>
      ) : (
        <ul aria-label="Given to">
          {given.map((member) => (
            <GivenMember key={member.user_id} noun={noun} member={member} take={actions?.take} />
          ))}
        </ul>
      )}
      {actions && others.length > 0 && <GiveForm others={others} give={actions.give} />}
    </Panel>
  )
}

/** The consequence of removing a member, shown before confirming. */
function consequence({ campaigns }: SenderMember): string {
  const running = campaigns.filter(({ status }) => status !== 'paused')
  if (running.length === 0)
    return 'None of their campaigns is running on it. They cannot launch new ones with it.'
  const names = running.map(({ name }) => `“${name}”`).join(', ')
  return `${names} ${running.length === 1 ? 'goes' : 'go'} on sending until you pause ${running.length === 1 ? 'it' : 'them'}. They cannot launch or resume anything else with it.`
}

type Given = { noun: string; member: SenderMember; take?: ((id: string) => Promise<FormResult>) | undefined }

function GivenMember({ noun, member, take }: Given) {
  const { user_id, name, email, campaigns } = member
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-border border-b px-4 py-2.5 last:border-b-0">
      <div className="min-w-0 text-sm">
        <span className="font-medium">{name}</span> <span className="text-muted">{email}</span>
        {campaigns.length > 0 && (
          <p className="text-muted text-xs">
            Used by{' '}
            {campaigns.map(({ campaign_id, name, status }, index) => (
              <span key={campaign_id}>
                {index > 0 && ', '}
                <Link href={`/campaigns/${campaign_id}`} className="rounded-xs underline">
                  {name}
                </Link>{' '}
                ({status})
              </span>
            ))}
          </p>
        )}
      </div>
      {take && (
        <ActionButton
          size="sm"
          act={take.bind(null, user_id)}
          aria-label={`Remove access of ${name}`}
          confirm={{
            title: `Remove ${name}’s access to the ${noun}?`,
            description: consequence(member),
            label: 'Remove access',
            danger: true,
          }}
        >
          Take away
        </ActionButton>
      )}
    </li>
  )
}

const GiveForm = ({ others, give }: { others: Person[]; give: FormAction }) => (
  <ActionForm action={give} className="flex flex-wrap items-end gap-3 border-border border-t p-4">
    <Field label="Give to" name="user_id">
      <Select options={others.map(({ user_id, name }) => ({ value: user_id, label: name }))} />
    </Field>
    <SubmitButton variant="secondary">Give</SubmitButton>
  </ActionForm>
)
