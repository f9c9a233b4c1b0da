import { KeptFields } from '#components/drafts/kept-fields'
import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { Checkbox } from '#components/ui/controls/checkbox'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { type Option, Select } from '#components/ui/controls/select'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Callout } from '#components/ui/feedback/callout'
import { Panel } from '#components/ui/layout/panel'
import type { Branding } from '#lib/contracts/workspaces/branding'
import { BrandFrame } from './brand-frame.tsx'
import { BrandMark } from './brand-mark.tsx'

type Props = {
  branding: Branding
  workspaceName: string
  save: FormAction
  /** The choices for the sender of notices, and for the domain of report links. */
  mailboxes: Option[]
  domains: Option[]
}

const NOTHING = {
  name: null,
  accent: null,
  logo_url: null,
  sender_name: null,
  reply_to: null,
  sender_mailbox_id: null,
  report_domain: null,
  report_host: null,
}

/** Field names are those of PATCH /workspaces/{workspace_id}/branding. */
export function BrandingForm({ branding, workspaceName, save, mailboxes, domains }: Props) {
  const { inherited_from, version } = branding
  const own = inherited_from ? NOTHING : branding
  const { name, accent, logo_url } = own
  const values = {
    name: name ?? '',
    accent: accent ?? '',
    sender_name: own.sender_name ?? '',
    reply_to: own.reply_to ?? '',
    sender_mailbox_id: own.sender_mailbox_id ?? '',
    report_domain: own.report_domain ?? '',
  }
  return (
    <Panel
      title="Branding"
      description="Clients, invited people and report readers see this instead of Opener’s name and logo."
    >
      {inherited_from && (
        <Inherited branding={branding} parent={inherited_from.name} workspaceName={workspaceName} />
      )}
      <ActionForm version={version} action={save} className="grid max-w-xl gap-4">
        <KeptFields name="branding" what="The branding" version={version} values={values} />
        <Field label="Name" name="name" hint={`Leave empty for the workspace name, ${workspaceName}.`}>
          <Input maxLength={60} autoComplete="off" defaultValue={values.name} />
        </Field>
        <LogoFields logo_url={logo_url} name={name ?? workspaceName} />
        <Field
          label="Accent colour"
          name="accent"
          hint="As #rrggbb, dark enough for white text. Leave empty for the default blue."
        >
          <Input
            maxLength={7}
            autoComplete="off"
            spellCheck={false}
            className="font-mono"
            defaultValue={values.accent}
          />
        </Field>
        <NoticeFields values={values} mailboxes={mailboxes} />
        <ReportField report_domain={values.report_domain} report_host={own.report_host} domains={domains} />
        <div>
          <SubmitButton>Save branding</SubmitButton>
        </div>
      </ActionForm>
    </Panel>
  )
}

type Notices = { sender_name: string; reply_to: string; sender_mailbox_id: string }

function NoticeFields({ values, mailboxes }: { values: Notices; mailboxes: Option[] }) {
  return (
    <>
      <Field
        label="Sender name"
        name="sender_name"
        hint="Sender name for notification and invitation emails. Leave empty for the name above."
      >
        <Input maxLength={60} autoComplete="off" defaultValue={values.sender_name} />
      </Field>
      <Field
        label="Send them from"
        name="sender_mailbox_id"
        hint="They do not count towards the mailbox’s limits. If it cannot send, they come from this instance’s sender, as password emails always do."
      >
        <Select
          placeholder="This instance’s sender"
          options={mailboxes}
          defaultValue={values.sender_mailbox_id}
        />
      </Field>
      <Field label="Replies go to" name="reply_to" hint="Leave empty to reply to the sender.">
        <Input type="email" maxLength={254} autoComplete="off" defaultValue={values.reply_to} />
      </Field>
    </>
  )
}

type Reports = Pick<Branding, 'report_host'> & { report_domain: string; domains: Option[] }

function ReportField({ report_domain, report_host, domains }: Reports) {
  const state = report_host
    ? `New report links start with https://${report_host}/.`
    : report_domain
      ? `New report links start with reports.${report_domain} once its DNS record and the domain’s DKIM key are found. See the domain page.`
      : 'Choose one of your domains to serve report links from it, as reports.your-domain.'
  return (
    <Field label="Report link domain" name="report_domain" hint={state}>
      <Select placeholder="This instance’s address" options={domains} defaultValue={report_domain} />
    </Field>
  )
}

function LogoFields({ logo_url, name }: { logo_url: string | null; name: string }) {
  return (
    <>
      <Field label="Logo" name="logo_file" hint="PNG, JPEG or WebP, at most 256 KiB and 2048 × 2048 pixels.">
        <Input
          type="file"
          accept="image/png,image/jpeg,image/webp"
          className="py-1 text-muted file:mr-3 file:rounded-xs file:border-0 file:bg-hover file:px-2 file:text-sm file:font-medium file:text-text"
        />
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

/** The parent's branding, used while nothing is chosen below. */
function Inherited({
  branding,
  parent,
  workspaceName,
}: Pick<Props, 'branding' | 'workspaceName'> & { parent: string }) {
  const { accent, logo_url, sender_name, sender_address, reply_to, report_host } = branding
  const name = branding.name ?? workspaceName
  return (
    <Callout title={`This workspace shows the branding of ${parent}`} className="mb-4 max-w-xl">
      <BrandFrame accent={accent}>
        <BrandMark logo_url={logo_url} name={name} className="my-2 text-accent-text" />
      </BrandFrame>
      <p>
        Emails come from {sender_name ?? name}
        {sender_address && ` <${sender_address}>`}
        {reply_to && `, replies go to ${reply_to}`}
        {report_host && `, report links are at ${report_host}`}. Set anything below to use this workspace’s
        own branding. Clear everything to go back.
      </p>
    </Callout>
  )
}
