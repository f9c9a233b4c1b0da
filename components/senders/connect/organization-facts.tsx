import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Callout } from '#components/ui/feedback/callout'
import { Disclosure } from '#components/ui/layout/disclosure'
import { Panel } from '#components/ui/layout/panel'
import { RelativeTime } from '#components/ui/relative-time'
import type { MailOrganization } from '#lib/contracts/senders/mail-organizations'
import { remedy } from '#lib/domain/domains/mail-organizations'
import { OrganizationKey } from './organization-key.tsx'

type Props = { organization: MailOrganization; now: string; save: FormAction }

/** Shown while the organization's mailboxes cannot be used, with what its administrator should do. */
export function OrganizationOutage({ organization, now }: Omit<Props, 'save'>) {
  const { vendor, failing_cause, failing_said, failing_since } = organization
  if (!failing_cause || !failing_since) return null
  return (
    <Callout
      tone="danger"
      title={failing_cause === 'misconfigured' ? 'Its key was refused' : 'Access was revoked'}
    >
      {remedy(vendor, failing_cause === 'misconfigured' ? 'key_refused' : 'not_allowed')} Its mailboxes have
      been waiting since <RelativeTime at={failing_since} now={now} />; leads keep their places.
      {failing_said && <span className="mt-1 block text-xs">The provider said: {failing_said}</span>}
    </Callout>
  )
}

const listFacts = ({ vendor, client_id, account, key_id, tenant_id }: MailOrganization) =>
  vendor === 'google'
    ? [
        ['Service account', account],
        ['Client ID', client_id],
        ['Key', key_id],
      ]
    : [
        ['Directory (tenant) ID', tenant_id],
        ['Application (client) ID', client_id],
      ]

/** The organization's key, and a form to replace it. */
export function OrganizationFacts({ organization, save }: Omit<Props, 'now'>) {
  const { vendor, name, version } = organization
  return (
    <Panel className="max-w-2xl" title="Name and key">
      <div className="grid gap-5">
        {vendor !== 'sandbox' && (
          <dl className="grid gap-x-4 gap-y-2 text-sm sm:grid-cols-[max-content_minmax(0,1fr)]">
            {listFacts(organization).map(([label, value]) => (
              <div key={label} className="contents">
                <dt className="text-muted">{label}</dt>
                <dd className="wrap-anywhere">{value ?? '–'}</dd>
              </div>
            ))}
          </dl>
        )}
        <ActionForm action={save} version={version} className="grid gap-4">
          <input type="hidden" name="version" value={version} />
          <Field label="Name" name="name" required>
            <Input autoComplete="off" defaultValue={name} maxLength={200} />
          </Field>
          {vendor !== 'sandbox' && (
            <Disclosure title="Replace the key">
              <div className="grid gap-4">
                <OrganizationKey vendor={vendor} known={organization} />
              </div>
            </Disclosure>
          )}
          <div>
            <SubmitButton variant="secondary">Save</SubmitButton>
          </div>
        </ActionForm>
      </div>
    </Panel>
  )
}
