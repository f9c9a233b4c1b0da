import type { ReactNode } from 'react'
import { LinkButton } from '#components/ui/controls/link-button'
import { CopyButton } from '#components/ui/copy-button'
import { Panel } from '#components/ui/layout/panel'
import type { MailVendorSetup } from '#lib/contracts/senders/mailbox-oauth'
import { VENDOR_LABELS } from '../connect-tiles.tsx'

export const Copied = ({ text, label }: { text: string; label: string }) => (
  <span className="mt-1 flex items-start gap-1">
    <code className="rounded-xs bg-sunken px-1.5 py-0.5 text-xs wrap-anywhere">{text}</code>
    <CopyButton text={text} label={label} />
  </span>
)

const redirect = (uri: string) => (
  <>
    Register exactly this redirect address (type Web):
    <Copied text={uri} label="Copy the redirect address" />
  </>
)

const scopes = (list: string[]) => (
  <>
    Add these scopes:
    <Copied text={list.join(' ')} label="Copy the scopes" />
  </>
)

const settings = (prefix: string) => (
  <>
    Set <code>{prefix}_CLIENT_ID</code> and <code>{prefix}_CLIENT_SECRET</code> for this instance, and restart
    it.
  </>
)

function steps({ vendor, redirect_uri, scopes: asked }: MailVendorSetup): ReactNode[] {
  if (vendor === 'google')
    return [
      'In the Google Cloud console, create a project and enable the Gmail API.',
      'Set up the OAuth consent screen. Choose Internal for your own Workspace: no verification, and sign-ins last. External stays in testing: up to 100 listed users, and each signs in again every 7 days, until Google has verified the app.',
      scopes(asked),
      <>Under Clients, create an OAuth client of type Web application. {redirect(redirect_uri)}</>,
      settings('MAIL_GOOGLE'),
    ]
  return [
    'In the Microsoft Entra admin center, register an application. Choose accounts in any organizational directory, unless it is only for yours.',
    redirect(redirect_uri),
    <>
      Under API permissions, add these delegated permissions of Office 365 Exchange Online. {scopes(asked)}
    </>,
    'Under Certificates & secrets, create a client secret. Note when it expires and replace it before then.',
    <>
      {settings('MAIL_MICROSOFT')} With one organization, set <code>MAIL_MICROSOFT_TENANT</code> to its tenant
      ID.
    </>,
  ]
}

/** Shown if this instance has no client at the vendor: how its operator registers one. */
export function VendorSetup({ setup }: { setup: MailVendorSetup }) {
  const name = VENDOR_LABELS[setup.vendor]
  return (
    <Panel
      className="max-w-2xl"
      title={`This instance has no ${name} OAuth client yet`}
      description="The operator registers one, once. Every installation needs its own."
      action={
        <LinkButton size="sm" href="/mailboxes/new?with=other">
          Use a password instead
        </LinkButton>
      }
    >
      <ol className="grid list-decimal gap-3 pl-5 text-sm">
        {steps(setup).map((step, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the steps of one vendor, always the same
          <li key={i}>{step}</li>
        ))}
      </ol>
    </Panel>
  )
}
