import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Panel } from '#components/ui/layout/panel'
import type { Workspace } from '#lib/contracts/workspaces/workspaces'

/** Field names are those of PATCH /workspaces/{workspace_id}. */
export function WorkspaceForm({ workspace, save }: { workspace: Workspace; save: FormAction }) {
  return (
    <Panel title="Workspace">
      <ActionForm basis={workspace.slug} action={save} className="grid max-w-xl gap-4">
        <Field label="Name" name="name" required>
          <Input maxLength={100} autoComplete="off" defaultValue={workspace.name} />
        </Field>
        <Field label="Address" name="slug" required hint="Used in workspace links, after /w/.">
          <Input maxLength={60} autoComplete="off" defaultValue={workspace.slug} />
        </Field>
        <div>
          <SubmitButton variant="secondary">Save workspace</SubmitButton>
        </div>
      </ActionForm>
    </Panel>
  )
}

export function CreateWorkspaceForm({ create }: { create: FormAction }) {
  return (
    <Panel
      title="New workspace"
      description="It has its own campaigns, mailboxes and members, and you own it."
    >
      <ActionForm action={create} className="grid max-w-xl gap-4">
        <Field label="Name of the new workspace" name="new_name" required>
          <Input maxLength={100} autoComplete="off" />
        </Field>
        <div>
          <SubmitButton variant="secondary">Create workspace</SubmitButton>
        </div>
      </ActionForm>
    </Panel>
  )
}
