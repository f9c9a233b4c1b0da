import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { Checkbox } from '#components/ui/controls/checkbox'
import { RadioGroup } from '#components/ui/controls/radio-group'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Panel } from '#components/ui/layout/panel'
import type { ReplyAssignment, Workspace } from '#lib/contracts/workspaces/workspaces'

type Props = { workspace: Workspace; people: { user_id: string; name: string }[]; save: FormAction }

const CHOICES: { value: ReplyAssignment; label: string; hint?: string }[] = [
  { value: 'nobody', label: 'Nobody', hint: 'You assign conversations in the inbox.' },
  { value: 'campaign_maker', label: 'Campaign owner' },
  {
    value: 'sender',
    label: 'Owner of the mailbox or account',
    hint: 'If it has several members, they take turns.',
  },
  { value: 'round_robin', label: 'Members, round robin', hint: 'Those chosen below.' },
]

/** How new replies are assigned. */
export function ReplyAssignmentForm({ workspace, people, save }: Props) {
  return (
    <Panel title="New replies" description="Who a conversation is assigned to when somebody replies.">
      <ActionForm version={workspace.version} action={save} className="grid max-w-xl gap-4">
        <RadioGroup
          name="reply_assignment"
          legend="Assign new replies to"
          choices={CHOICES}
          defaultValue={workspace.reply_assignment}
        />
        <fieldset className="grid gap-1.5">
          <legend className="mb-1.5 text-sm font-medium">Members</legend>
          {people.map(({ user_id, name }) => (
            <Checkbox
              key={user_id}
              name="reply_assignees"
              value={user_id}
              label={name}
              defaultChecked={workspace.reply_assignees.includes(user_id)}
            />
          ))}
        </fieldset>
        <div>
          <SubmitButton variant="secondary">Save assignment</SubmitButton>
        </div>
      </ActionForm>
    </Panel>
  )
}
