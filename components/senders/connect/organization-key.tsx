import { Field } from '#components/ui/controls/field'
import { FileDrop } from '#components/ui/controls/file-drop'
import { Input } from '#components/ui/controls/input'
import { Textarea } from '#components/ui/controls/textarea'
import type { MailOrganization } from '#lib/contracts/senders/mail-organizations'
import type { MailVendor } from '#lib/domain/domains/mail-vendors'

type Props = { vendor: MailVendor; known?: Pick<MailOrganization, 'client_id' | 'tenant_id'> }

/** The fields of a key; for an existing one only the secret is asked for. */
export function OrganizationKey({ vendor, known }: Props) {
  if (vendor === 'sandbox') return null
  if (vendor === 'google')
    return (
      <>
        <FileDrop
          name="file"
          label="Choose the key file of the service account"
          hint="The JSON file that Google saved. It is kept encrypted and never shown again."
          accept=".json,application/json"
        />
        <Field label="Or paste its text" name="service_account_key">
          <Textarea
            rows={2}
            autoComplete="off"
            spellCheck={false}
            placeholder='{ "type": "service_account", … }'
            className="font-mono text-xs"
          />
        </Field>
      </>
    )
  return (
    <>
      <Field label="Directory (tenant) ID" name="tenant_id" required={!known}>
        <Input autoComplete="off" spellCheck={false} defaultValue={known?.tenant_id ?? ''} />
      </Field>
      <Field label="Application (client) ID" name="client_id" required={!known}>
        <Input autoComplete="off" spellCheck={false} defaultValue={known?.client_id ?? ''} />
      </Field>
      <Field
        label="Client secret"
        name="client_secret"
        required={!known}
        hint="Its value, not its ID. It is kept encrypted and never shown again."
      >
        <Input type="password" autoComplete="off" />
      </Field>
    </>
  )
}
