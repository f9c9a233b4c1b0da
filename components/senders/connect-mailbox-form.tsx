'use client'

import { type RefObject, useRef, useState } from 'react'
import { KeptFields } from '#components/drafts/kept-fields'
import { ActionForm, type FormAction, useFormAnswer } from '#components/ui/controls/action-form'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Disclosure } from '#components/ui/layout/disclosure'
import { Panel } from '#components/ui/layout/panel'
import { LimitFields, ServerFields } from './mailbox-fields.tsx'
import { type Found, fillServers, hasOwnServer } from './server-lookup.tsx'

/** Pause after which an address counts as completely typed. */
const TYPED_MS = 500

type Props = {
  save: FormAction
  /** The servers of an address; null if unknown. */
  find: (address: string) => Promise<Found | null>
  /** An address given earlier, with the servers found for it. */
  given?: { address: string; found: Found } | null
}

/** Looks up the servers of the typed address and fills them into the surrounding form. */
function useServers(body: RefObject<HTMLDivElement | null>, { find, given }: Pick<Props, 'find' | 'given'>) {
  const [looked, setLooked] = useState<Looked>(given ? (given.found.smtp ? given.found : 'nothing') : null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const form = () => body.current?.closest('form') ?? null

  const take = (found: Found) => {
    const around = form()
    if (around) fillServers(around, found)
    setLooked(found)
  }
  const lookUp = async (address: string) => {
    const around = form()
    if (!isWritten(address) || !around || hasOwnServer(around, serversIn(looked))) return
    setLooked('looking')
    const answer = await find(address)
    if (new FormData(around).get('address') !== address) return
    if (answer?.smtp) take(answer)
    else setLooked('nothing')
  }

  // While typing rather than on blur, because content that moves under the pointer is hard to click.
  const lookUpSoon = (address: string) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void lookUp(address), TYPED_MS)
  }
  return { looked, lookUpSoon }
}

const isWritten = (address: string) =>
  address.lastIndexOf('.') > address.indexOf('@') && address.includes('@')

/** Asks for address and password; the servers are looked up, and can be shown and changed. */
export function ConnectMailboxForm({ save, find, given = null }: Props) {
  const body = useRef<HTMLDivElement>(null)
  const { looked, lookUpSoon } = useServers(body, { find, given })
  return (
    <ActionForm action={save} className="grid max-w-2xl gap-4">
      <KeptFields name="mailbox:new" what="The mailbox" />
      <Panel>
        <div ref={body} className="grid gap-4">
          <Field label="Address" name="address" required>
            <Input
              type="email"
              autoComplete="off"
              placeholder="ana@company.com"
              defaultValue={given?.address}
              onInput={({ currentTarget: { value } }) => lookUpSoon(value)}
            />
          </Field>
          <LookupNotice looked={looked} />
          <Field
            label="Password"
            name="smtp.password"
            hint={serversIn(looked)?.note ?? 'Encrypted and never shown again.'}
          >
            <Input type="password" autoComplete="new-password" />
          </Field>
          <Field label="Name that recipients see" name="name">
            <Input maxLength={200} placeholder="Ana Silva" />
          </Field>
        </div>
      </Panel>
      <MoreSettings looked={looked} found={given?.found ?? null} />
      <div>
        <SubmitButton>Connect mailbox</SubmitButton>
      </div>
    </ActionForm>
  )
}

type Looked = Found | 'looking' | 'nothing' | null

const serversIn = (looked: Looked) => (typeof looked === 'object' ? looked : null)

const FOUND_BY = {
  domain: 'by its domain',
  mx: 'by its domain’s mail servers',
  srv: 'in its domain’s SRV records',
  autoconfig: 'in the settings its domain publishes',
  autodiscover: 'in the settings its domain publishes',
}

function LookupNotice({ looked }: { looked: Looked }) {
  return (
    <p aria-live="polite" className="-mt-2 text-sm text-muted">
      {lookupNotice(looked)}
    </p>
  )
}

function lookupNotice(looked: Looked): string {
  if (looked === 'looking') return 'Looking for its servers …'
  if (looked === 'nothing')
    return 'We could not find its servers. Enter them under Servers; your provider’s help pages list them.'
  if (!looked?.found_by) return 'Opener finds its mail servers.'
  if (looked.found_by === 'guess')
    return `Its domain does not publish them. Our guess is ${looked.smtp?.host}. Connecting tests it.`
  return `Found ${looked.provider ?? looked.smtp?.host} ${FOUND_BY[looked.found_by]}.`
}

function MoreSettings({ looked, found }: { looked: Looked; found: Found | null }) {
  const result = useFormAnswer().result
  const isRefused = result !== null && !result.ok
  const servers = serversIn(looked)
  const hosts = [servers?.smtp?.host, servers?.imap?.host].filter(Boolean).join(' · ')
  return (
    <>
      <Disclosure title="Servers" summary={hosts} isOpen={isRefused || looked === 'nothing'}>
        <div className="grid gap-6 sm:grid-cols-2">
          <section aria-label="Outgoing server (SMTP)" className="grid content-start gap-3">
            <h3 className="text-sm font-semibold">Outgoing (SMTP)</h3>
            <ServerFields prefix="smtp" server={found?.smtp} isShared />
          </section>
          <section aria-label="Incoming server (IMAP)" className="grid content-start gap-3">
            <h3 className="text-sm font-semibold">Incoming (IMAP)</h3>
            <ServerFields prefix="imap" server={found?.imap} isShared />
          </section>
        </div>
      </Disclosure>
      <Disclosure title="Limits" summary="50 emails a day, 60 seconds apart" isOpen={isRefused}>
        <LimitFields />
      </Disclosure>
    </>
  )
}
