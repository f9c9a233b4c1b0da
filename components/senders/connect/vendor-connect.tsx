import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { LinkButton } from '#components/ui/controls/link-button'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Panel } from '#components/ui/layout/panel'
import type { MailVendorSetup } from '#lib/contracts/senders/mailbox-oauth'
import type { MailVendor } from '#lib/domain/domains/mail-vendors'
import { VENDOR_LABELS } from '../connect-tiles.tsx'

/** Who may grant access at each vendor, and for how long it lasts. */
const FACTS: Record<MailVendor, string[]> = {
  google: [
    'In Workspace, an administrator may have to allow the app first (Admin console, Security, API controls).',
    'Leave every box ticked on Google’s page. Without read access, replies and bounces go unnoticed.',
    'While the OAuth client is in testing, Google ends the sign-in after 7 days.',
  ],
  microsoft: [
    'In most organizations, an administrator has to allow it, once for everybody.',
    'Sending needs SMTP AUTH, which an administrator can turn on for the mailbox (Exchange admin center, Manage email apps).',
  ],
  sandbox: ['A stand-in for Google and Microsoft on this instance. Its emails never leave this machine.'],
}

type Props = { setup: MailVendorSetup; connect: FormAction; address?: string }

/** A single button; the rest happens at the vendor. */
export function VendorConnect({ setup: { vendor, admin_consent_url }, connect, address }: Props) {
  const name = VENDOR_LABELS[vendor]
  return (
    <Panel className="max-w-2xl" title={`Sign in at ${vendor === 'sandbox' ? 'the sandbox' : name}`}>
      <div className="grid gap-4">
        <ActionForm action={connect} className="grid gap-4">
          <Field
            label="Address"
            name="address"
            hint={
              vendor === 'sandbox'
                ? 'Any address. You can also choose it on the next page.'
                : `Optional. ${name} then suggests this account.`
            }
          >
            <Input type="email" autoComplete="off" placeholder="ana@company.com" defaultValue={address} />
          </Field>
          <div className="flex flex-wrap gap-2">
            <SubmitButton>Continue to {vendor === 'sandbox' ? 'the sandbox' : name}</SubmitButton>
            {admin_consent_url && (
              <LinkButton href={admin_consent_url} prefetch={false}>
                I am an administrator: allow it for everybody
              </LinkButton>
            )}
          </div>
        </ActionForm>
        <ul className="grid list-disc gap-1 pl-5 text-sm text-muted">
          {FACTS[vendor].map((fact) => (
            <li key={fact}>{fact}</li>
          ))}
          {vendor !== 'sandbox' && <li>Opener never sees your password.</li>}
          <li>Remove the mailbox at any time to end access.</li>
        </ul>
      </div>
    </Panel>
  )
}
