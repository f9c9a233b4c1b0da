import type { Metadata } from 'next'
import { AddressFirst } from '#components/senders/connect/address-first'
import { VendorConnect } from '#components/senders/connect/vendor-connect'
import { VendorSetup } from '#components/senders/connect/vendor-setup'
import { ConnectMailboxForm } from '#components/senders/connect-mailbox-form'
import { ConnectTiles } from '#components/senders/connect-tiles'
import { Link } from '#components/ui/controls/link'
import { Callout } from '#components/ui/feedback/callout'
import { Breadcrumbs } from '#components/ui/layout/breadcrumbs'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { UpdateMailbox } from '#lib/contracts/senders/mailboxes'
import { ERRORS } from '#lib/errors'
import { requireUser } from '#lib/http/session'
import { readMailVendors } from '#lib/services/senders/grants/vendors'
import { ViewOnly } from '../../view-only.tsx'
import { connectByOAuth, createMailbox, findServers } from '../actions.ts'

export const metadata: Metadata = { title: 'Connect a mailbox' }

/** Only our own messages, since anybody can write the URL. */
const refusalInWords = (code: unknown) =>
  Object.entries(ERRORS).find(([known]) => known === code)?.[1].message ?? null

export default async function NewMailboxPage({ searchParams }: PageProps<'/mailboxes/new'>) {
  await requireUser()
  const asked = await searchParams
  const typed = typeof asked.address === 'string' ? asked.address.trim() : ''
  const { items } = readMailVendors()
  const found = typed ? await findServers(typed) : null
  const isReady = items.some(({ vendor, is_ready }) => is_ready && vendor === found?.vendor)
  const chosen = asked.with ?? (found && (isReady ? found.vendor : 'other'))
  const setup = items.find(({ vendor }) => vendor === chosen) ?? null
  const isOther = chosen === 'other'
  const given = found && { address: found.address, found }
  return (
    <>
      <PageHeader
        above={<Breadcrumbs items={[{ href: '/mailboxes', label: 'Mailboxes' }]} />}
        title="Connect a mailbox"
        description="Opener signs in to test the connection. Nothing is sent."
      />
      <PageBody>
        <ViewOnly changes={UpdateMailbox}>
          <Notices refused={refusalInWords(asked.refused)} isAllowed={Boolean(asked.allowed)} />
          {!chosen && (
            <AddressFirst
              address={typed}
              problem={
                typed
                  ? 'We could not look up this address. Check it, or choose your provider below.'
                  : undefined
              }
            />
          )}
          <ConnectTiles
            vendors={items.map(({ vendor }) => vendor)}
            chosen={setup?.vendor ?? (isOther ? 'other' : null)}
            address={found?.address ?? ''}
          />
          {!chosen && (
            <ul className="grid gap-2 text-sm">
              <li>
                <Link href="/mailboxes/organizations" className="text-accent-text underline">
                  Connect a whole organization, without a sign-in for each
                </Link>
              </li>
              <li>
                <Link href="/mailboxes/import" className="text-accent-text underline">
                  Connect many from a CSV file
                </Link>
              </li>
            </ul>
          )}
          {setup?.is_ready && (
            <VendorConnect
              setup={setup}
              connect={connectByOAuth.bind(null, setup.vendor)}
              address={found?.address ?? ''}
            />
          )}
          {setup && !setup.is_ready && <VendorSetup setup={setup} />}
          {isOther && <ConnectMailboxForm save={createMailbox} find={findServers} given={given} />}
        </ViewOnly>
      </PageBody>
    </>
  )
}

function Notices({ refused, isAllowed }: { refused: string | null; isAllowed: boolean }) {
  return (
    <>
      {refused && (
        <Callout tone="warning" title="Nothing was connected">
          {refused}
        </Callout>
      )}
      {isAllowed && (
        <Callout title="Your organization allows it">Everybody there can now connect their mailbox.</Callout>
      )}
    </>
  )
}
