'use client'

import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { ActingButton } from '#components/ui/controls/lock'
import { CopyButton } from '#components/ui/copy-button'
import { Callout } from '#components/ui/feedback/callout'
import { Panel } from '#components/ui/layout/panel'
import { Table, Td, Th, Tr } from '#components/ui/layout/table'
import { type Ask, useAsked } from '#components/ui/use-asked'
import type { Output } from '#lib/contracts/contract'
import type { FindEmail, VerifyEmail } from '#lib/contracts/enrichment/email-finder'
import { EmailStatusPill } from './email-status.tsx'

export type Found = Output<typeof FindEmail>
export type Verified = Output<typeof VerifyEmail>

export function FindForm({ find }: { find: Ask<Found> }) {
  const { asked, lost, native, onSubmit, isPending } = useAsked(find)
  return (
    <Panel title="Find an address" description="From a name and company domain.">
      <form action={native} onSubmit={onSubmit} className="grid gap-4 sm:grid-cols-2">
        <Field label="First name" name="first_name" required>
          <Input maxLength={100} autoComplete="off" />
        </Field>
        <Field label="Last name" name="last_name" required>
          <Input maxLength={100} autoComplete="off" />
        </Field>
        <Field label="Domain" name="domain" required className="sm:col-span-2">
          <Input maxLength={253} placeholder="example.com" autoComplete="off" />
        </Field>
        <div className="sm:col-span-2">
          <ActingButton type="submit" variant="primary" aria-busy={isPending}>
            {isPending ? 'Searching…' : 'Find'}
          </ActingButton>
        </div>
      </form>
      <div aria-live="polite" className="mt-4 empty:mt-0">
        {lost && <Callout tone="danger">{lost}</Callout>}
        {asked && 'problem' in asked && <Callout tone="danger">{asked.problem}</Callout>}
        {asked && 'answer' in asked && <FoundAnswer found={asked.answer} />}
      </div>
    </Panel>
  )
}

function FoundAnswer({ found }: { found: Found }) {
  return (
    <div className="grid gap-3">
      <p className="flex flex-wrap items-center gap-2">
        <strong className="text-lg font-semibold wrap-anywhere">{found.email ?? 'No address'}</strong>
        {found.email && <CopyButton text={found.email} label="Copy the address" />}
        <EmailStatusPill status={found.status} />
        {found.email && <span className="text-sm text-muted">confidence {found.confidence} %</span>}
      </p>
      <p className="text-sm text-muted">
        {found.reason} {found.mx && `Mail server: ${found.mx}.`}
      </p>
      {found.candidates.length > 0 && (
        <Table caption="Candidates">
          <thead>
            <tr>
              <Th>Candidate</Th>
              <Th>Status</Th>
              <Th numeric>Confidence</Th>
              <Th className="w-2/5">Based on</Th>
            </tr>
          </thead>
          <tbody>
            {found.candidates.map((one) => (
              <Tr key={one.email}>
                <Td lead className="wrap-anywhere">
                  {one.email}
                </Td>
                <Td label="Status">
                  <EmailStatusPill status={one.status} />
                </Td>
                <Td label="Confidence" numeric>
                  {one.confidence} %
                </Td>
                <Td label="Based on" className="text-muted">
                  {one.evidence}
                </Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      )}
    </div>
  )
}

export function VerifyForm({ verify }: { verify: Ask<Verified> }) {
  const { asked, lost, native, onSubmit, isPending } = useAsked(verify)
  return (
    <Panel title="Verify an address" description="Checks syntax, DNS and the mail server.">
      <form action={native} onSubmit={onSubmit} className="grid gap-4">
        <Field label="Address" name="email" required>
          <Input type="email" maxLength={320} autoComplete="off" placeholder="ada@example.com" />
        </Field>
        <div>
          <ActingButton type="submit" aria-busy={isPending}>
            {isPending ? 'Searching…' : 'Verify'}
          </ActingButton>
        </div>
      </form>
      <div aria-live="polite" className="mt-4 empty:mt-0">
        {lost && <Callout tone="danger">{lost}</Callout>}
        {asked && 'problem' in asked && <Callout tone="danger">{asked.problem}</Callout>}
        {asked && 'answer' in asked && <VerifiedAnswer verified={asked.answer} />}
      </div>
    </Panel>
  )
}

const yesNo = (value: boolean | null) => (value === null ? 'not known' : value ? 'yes' : 'no')

function VerifiedAnswer({ verified }: { verified: Verified }) {
  const facts: [string, string][] = [
    ['Mail server', verified.mx ?? 'none'],
    ['Catch-all', yesNo(verified.catch_all)],
    ['Disposable', yesNo(verified.disposable)],
    ['Role address', yesNo(verified.role)],
    ['Free mail', yesNo(verified.free_mail)],
  ]
  return (
    <div className="grid gap-3">
      <p className="flex flex-wrap items-center gap-2">
        <strong className="text-lg font-semibold wrap-anywhere">{verified.email}</strong>
        <EmailStatusPill status={verified.status} />
      </p>
      <p className="text-sm">{verified.reason}</p>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-1 text-sm sm:grid-cols-3">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt className="text-xs text-muted">{label}</dt>
            <dd className="wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
