import { KeptFields } from '#components/drafts/kept-fields'
import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { Select } from '#components/ui/controls/select'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Panel } from '#components/ui/layout/panel'
import type { Account } from '#lib/contracts/workspaces/account'
import { BrowserZone } from './browser-zone.tsx'

type Props = {
  account: Account
  /** Empty for users who may not change the workspace's time zone. */
  zones: string[]
  save: FormAction
}

/** Field names are those of PATCH /account. */
export function ProfileForm({ account, zones, save }: Props) {
  return (
    <Panel title="Profile">
      <ActionForm action={save} className="grid max-w-xl gap-4">
        <KeptFields
          name="account"
          what="Your profile"
          version={account.version}
          values={{ name: account.name, ...(zones.length > 0 && { timezone: account.timezone }) }}
        />
        <Field label="Name" name="name" required>
          <Input maxLength={200} autoComplete="name" defaultValue={account.name} />
        </Field>
        <Field label="Email" hint="You sign in with this address. It cannot be changed.">
          <Input value={account.email} readOnly />
        </Field>
        {zones.length > 0 && <ZoneField account={account} zones={zones} />}
        <div>
          <SubmitButton>Save profile</SubmitButton>
        </div>
      </ActionForm>
    </Panel>
  )
}

function ZoneField({ account, zones }: Pick<Props, 'account' | 'zones'>) {
  return (
    <div>
      <Field
        label="Time zone"
        name="timezone"
        required
        hint="Used for the daily limits of your mailboxes and accounts, and for the times shown here. Campaigns have their own."
      >
        <Select options={zones.map((value) => ({ value, label: value }))} defaultValue={account.timezone} />
      </Field>
      <BrowserZone kept={account.timezone} zones={zones} />
    </div>
  )
}
