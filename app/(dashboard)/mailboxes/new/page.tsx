import type { Metadata } from 'next'
import { ConnectMailboxForm } from '#components/senders/connect-mailbox-form'
import { ConnectTiles } from '#components/senders/connect-tiles'
import { VendorConnect } from '#components/senders/vendor-connect'
import { VendorSetup } from '#components/senders/vendor-setup'
import { Callout } from '#components/ui/feedback/callout'
import { Breadcrumbs } from '#components/ui/layout/breadcrumbs'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { ERRORS } from '#lib/errors'
import { requireUser } from '#lib/http/session'
import { readMailVendors } from '#lib/services/senders/grants/vendors'
import { connectByOAuth, createMailbox, findServers } from '../actions.ts'

export const metadata: Metadata = { title: 'Connect a mailbox' }

/** Only our own words: what stands in an address may come from anybody. */
const refusalInWords = (code: unknown) =>
  Object.entries(ERRORS).find(([known]) => known === code)?.[1].message ?? null

export default async function NewMailboxPage({ searchParams }: PageProps<'/mailboxes/new'>) {
  await requireUser()
  const asked = await searchParams
  const { items } = readMailVendors()
  const setup = items.find(({ vendor }) => vendor === asked.with) ?? null
  const isOther = asked.with === 'other'
  const refused = refusalInWords(asked.refused)
  return (
    <>
      <PageHeader
        above={<Breadcrumbs items={[{ href: '/mailboxes', label: 'Mailboxes' }]} />}
        title="Connect a mailbox"
        description="Opener signs in to test the connection. Nothing is sent."
      />
      <PageBody>
        {refused && (
          <Callout tone="warning" title="Nothing was connected">
            {refused}
          </Callout>
        )}
        {asked.allowed && (
          <Callout title="It is allowed for your organization">
            Everybody there can connect their mailbox now.
          </Callout>
        )}
        <ConnectTiles
          vendors={items.map(({ vendor }) => vendor)}
          chosen={setup?.vendor ?? (isOther ? 'other' : null)}
        />
        {setup?.is_ready && <VendorConnect setup={setup} connect={connectByOAuth.bind(null, setup.vendor)} />}
        {setup && !setup.is_ready && <VendorSetup setup={setup} />}
        {isOther && <ConnectMailboxForm save={createMailbox} find={findServers} />}
      </PageBody>
    </>
  )
}
