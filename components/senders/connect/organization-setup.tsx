import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { Link } from '#components/ui/controls/link'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Panel } from '#components/ui/layout/panel'
import type { MailOrganizations } from '#lib/contracts/senders/mail-organizations'
import type { MailVendor } from '#lib/domain/domains/mail-vendors'
import { OrganizationKey } from './organization-key.tsx'
import { Copied } from './vendor-setup.tsx'

export const ORGANIZATION_LABELS: Record<MailVendor, string> = {
  google: 'Google Workspace',
  microsoft: 'Microsoft 365',
  sandbox: 'Sandbox',
}
const HINTS: Record<MailVendor, string> = {
  google: 'Domain-wide delegation',
  microsoft: 'Your own application',
  sandbox: 'Try it, no account needed',
}

type Setup = MailOrganizations['vendors'][number]

/** Where the organization's mail is hosted, which determines the setup. */
export function OrganizationTiles({ vendors, chosen }: { vendors: Setup[]; chosen: MailVendor | null }) {
  return (
    <nav aria-label="Provider">
      <p aria-hidden className="mb-1 font-medium text-sm">
        Connect an organization
      </p>
      <ul className="grid max-w-2xl gap-2 sm:grid-cols-3">
        {vendors.map(({ vendor }) => (
          <li key={vendor} className="grid">
            <Link
              href={`/mailboxes/organizations?with=${vendor}`}
              aria-current={vendor === chosen ? 'true' : undefined}
              className={clsx(
                'grid min-h-16 content-center rounded-md border px-3 py-2 text-sm',
                vendor === chosen
                  ? 'border-accent-text bg-accent-subtle'
                  : 'border-border bg-surface hover:bg-hover',
              )}
            >
              <span className="font-medium">{ORGANIZATION_LABELS[vendor]}</span>
              <span className="text-muted text-xs">{HINTS[vendor]}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function steps({ vendor, permissions }: Setup): ReactNode[] {
  if (vendor === 'google')
    return [
      <>
        In the Google Cloud console, make a project. Under <b>APIs &amp; Services › Library</b>, enable the{' '}
        <b>Gmail API</b>.
      </>,
      <>
        Under <b>IAM &amp; Admin › Service Accounts</b>, create a service account. It needs no roles. On its
        page, <b>Keys › Add key › Create new key › JSON</b> saves a file. Note its <b>Unique ID</b>, a number.
      </>,
      <>
        In the Admin console (admin.google.com), open{' '}
        <b>Security › Access and data control › API controls › Manage Domain Wide Delegation</b> and add the
        Unique ID as client ID, with exactly this scope:
        <Copied text={permissions.join(',')} label="Copy the scope" />
      </>,
      'Upload the file here. It works within minutes; Google says up to 24 hours.',
    ]
  return [
    <>
      In the Microsoft Entra admin center, <b>App registrations › New registration</b>: accounts in this
      directory only, without a redirect address.
    </>,
    <>
      Under <b>API permissions › Microsoft Graph › Application permissions</b>, add these, then{' '}
      <b>Grant admin consent</b>:
      <Copied text={permissions.join(' ')} label="Copy the permissions" />
    </>,
    <>
      This reaches every mailbox. To limit it, assign the roles for a scope of mailboxes in Exchange (RBAC for
      Applications) instead, and remove the two permissions above: both add up.
    </>,
    <>
      Under <b>Certificates &amp; secrets</b>, make a client secret. Note when it expires: replace it here
      before.
    </>,
  ]
}

/** The administrator's steps at the vendor, and a form for the resulting key. */
export function OrganizationSetup({ setup, connect }: { setup: Setup; connect: FormAction }) {
  const { vendor } = setup
  return (
    <Panel
      className="max-w-2xl"
      title={`Connect ${vendor === 'sandbox' ? 'the sandbox' : ORGANIZATION_LABELS[vendor]}`}
      description={
        vendor === 'sandbox'
          ? 'A stand-in on this instance. It accepts every address except those starting with “unknown” or “suspended”. Its emails never leave this machine.'
          : 'An administrator does this once for all mailboxes in the organization.'
      }
    >
      <div className="grid gap-5">
        {vendor !== 'sandbox' && (
          <ol className="grid list-decimal gap-3 pl-5 text-sm">
            {steps(setup).map((step, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the steps of one vendor, always the same
              <li key={i}>{step}</li>
            ))}
          </ol>
        )}
        <ActionForm action={connect} className="grid gap-4">
          <Field label="Name" name="name" required hint="Shown to your team.">
            <Input autoComplete="off" placeholder="Acme" maxLength={200} />
          </Field>
          <OrganizationKey vendor={vendor} />
          <div>
            <SubmitButton>Connect the organization</SubmitButton>
          </div>
        </ActionForm>
      </div>
    </Panel>
  )
}
