import { KeptFields } from '#components/drafts/kept-fields'
import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { Checkbox } from '#components/ui/controls/checkbox'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Callout } from '#components/ui/feedback/callout'
import { Panel } from '#components/ui/layout/panel'
import type { Branding } from '#lib/contracts/workspaces/branding'
import { BrandFrame } from './brand-frame.tsx'
import { BrandMark } from './brand-mark.tsx'

type Props = { branding: Branding; workspaceName: string; save: FormAction }

const NOTHING = { name: null, accent: null, logo_url: null, sender_name: null, reply_to: null }

/** Field names are those of PATCH /workspaces/{workspace_id}/branding. */
export function BrandingForm({ branding, workspaceName, save }: Props) {
  const { inherited_from, version } = branding
  const { name, accent, logo_url, sender_name, reply_to } = inherited_from ? NOTHING : branding
  const values = {
    name: name ?? '',
    accent: accent ?? '',
    sender_name: sender_name ?? '',
    reply_to: reply_to ?? '',
  }
  return (
    <Panel
      title="Branding"
      description="What clients, invited people and readers of report links see instead of Opener’s name and logo."
    >
      {inherited_from && (
        <Inherited branding={branding} parent={inherited_from.name} workspaceName={workspaceName} />
      )}
      <ActionForm key={version} action={save} className="grid max-w-xl gap-4">
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

/** What is shown as long as nothing is chosen below. */
function Inherited({
  branding,
  parent,
  workspaceName,
}: Pick<Props, 'branding' | 'workspaceName'> & { parent: string }) {
  const { accent, logo_url, sender_name, reply_to } = branding
  const name = branding.name ?? workspaceName
  return (
    <Callout title={`This workspace shows the branding of ${parent}`} className="mb-4 max-w-xl">
      <BrandFrame accent={accent}>
        <BrandMark logo_url={logo_url} name={name} className="my-2 text-accent-text" />
      </BrandFrame>
      <p>
        Emails come from {sender_name ?? name}
        {reply_to && `, replies go to ${reply_to}`}. Choose anything below, and it has its own instead. Clear
        all of it to go back.
      </p>
    </Callout>
  )
}
