import { KeptFields } from '#components/drafts/kept-fields'
import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { Checkbox } from '#components/ui/controls/checkbox'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Panel } from '#components/ui/layout/panel'
import type { Branding } from '#lib/contracts/workspaces/branding'
import { BrandMark } from './brand-mark.tsx'

type Props = { branding: Branding; workspaceName: string; save: FormAction }

/** Field names are those of PATCH /workspaces/{workspace_id}/branding. */
export function BrandingForm({ branding, workspaceName, save }: Props) {
  const { name, accent, logo_url, sender_name, reply_to, version } = branding
  const values = {
    name: name ?? '',
    accent: accent ?? '',
    sender_name: sender_name ?? '',
    reply_to: reply_to ?? '',
  }
  return (
    <Panel
      title="Branding"
      description="What your clients, people you invite and readers of report links see in place of ours."
    >
      <ActionForm action={save} className="grid max-w-xl gap-4">
        <KeptFields name="branding" what="The branding" version={version} values={values} />
        <Field label="Name" name="name" hint={`Empty: ${workspaceName}, the name of the workspace.`}>
          <Input maxLength={60} autoComplete="off" defaultValue={values.name} />
        </Field>
        <LogoFields logo_url={logo_url} name={name ?? workspaceName} />
        <Field
          label="Accent colour"
          name="accent"
          hint="As #rrggbb, dark enough for white text. Empty: the usual blue."
        >
          <Input
            maxLength={7}
            autoComplete="off"
            spellCheck={false}
            className="font-mono"
            defaultValue={values.accent}
          />
        </Field>
        <Field
          label="Sender name"
          name="sender_name"
          hint="Notifications and invitations by email come from this name. Empty: the name above."
        >
          <Input maxLength={60} autoComplete="off" defaultValue={values.sender_name} />
        </Field>
        <Field label="Replies go to" name="reply_to" hint="Empty: to the sender of this instance.">
          <Input type="email" maxLength={254} autoComplete="off" defaultValue={values.reply_to} />
        </Field>
        <div>
          <SubmitButton>Save branding</SubmitButton>
        </div>
      </ActionForm>
    </Panel>
  )
}

function LogoFields({ logo_url, name }: { logo_url: string | null; name: string }) {
  return (
    <>
      <Field label="Logo" name="logo_file" hint="PNG, JPEG or WebP, at most 256 KiB and 2048 × 2048 pixels.">
        <Input type="file" accept="image/png,image/jpeg,image/webp" className="py-1" />
      </Field>
      {logo_url && (
        <div className="grid gap-2">
          <BrandMark logo_url={logo_url} name={name} />
          <Checkbox name="remove_logo" label="Remove the logo" />
        </div>
      )}
    </>
  )
}
