'use client'

import { useState } from 'react'
import { ActionButton } from '#components/ui/controls/action-button'
import { Button } from '#components/ui/controls/button'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { LeaveButton } from '#components/ui/controls/leave-button'
import { Select } from '#components/ui/controls/select'
import type { KnownSheets, SyncActs } from './sync-answers.tsx'

type Props = KnownSheets &
  Pick<SyncActs, 'connect' | 'disconnect'> & {
    isPending: boolean
    onSheet: (body: { url?: string; sheet_account_id?: string }) => void
  }

/** Selects a sheet that a connected account can read; the sheet need not be public. */
export function SheetSource({ link, accounts, vendor, isPending, connect, disconnect, onSheet }: Props) {
  const [chosen, setChosen] = useState(link?.sheet_account_id ?? accounts[0]?.sheet_account_id ?? '')
  if (vendor === null && accounts.length === 0) return null
  return (
    <section
      aria-label="Google Sheets"
      className="grid grid-cols-[minmax(0,1fr)] gap-3 border-t border-border pt-4 text-sm"
    >
      <h3 className="font-medium">Google Sheets</h3>
      {link && (
        <div className="flex flex-wrap items-center justify-between gap-2">
          <span className="min-w-0 wrap-anywhere">
            “{link.sheet}” of “{link.title}”
          </span>
          <Button aria-busy={isPending} onClick={() => onSheet({})}>
            Compare with this sheet
          </Button>
        </div>
      )}
      {accounts.length > 0 && (
        <SheetForm {...{ accounts, isPending, chosen, onSheet }} onChoose={setChosen} />
      )}
      <div className="flex flex-wrap gap-2">
        {vendor && <Connect vendor={vendor} isFirst={accounts.length === 0} connect={connect} />}
        {chosen !== '' && accounts.length > 0 && (
          <ActionButton
            size="sm"
            variant="ghost"
            act={disconnect.bind(null, chosen)}
            confirm={{
              title: 'Disconnect this account?',
              description: 'Datasets keep their rows, but are no longer linked to its sheets.',
              label: 'Disconnect',
            }}
          >
            Disconnect
          </ActionButton>
        )}
      </div>
    </section>
  )
}

type FormProps = Pick<Props, 'accounts' | 'isPending' | 'onSheet'> & {
  chosen: string
  onChoose: (sheet_account_id: string) => void
}

function SheetForm({ accounts, isPending, chosen, onChoose, onSheet }: FormProps) {
  const [url, setUrl] = useState('')
  return (
    <form
      className="flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        onSheet({ url: url.trim(), sheet_account_id: chosen })
      }}
    >
      <Field label="Account" name="sheet_account_id" className="min-w-40">
        <Select
          value={chosen}
          onChange={(event) => onChoose(event.target.value)}
          options={accounts.map((account) => ({
            value: account.sheet_account_id,
            label: `${account.address}${account.ended_said === null ? '' : ' (signed out)'}`,
          }))}
        />
      </Field>
      <Field label="Link to the sheet" name="sheet_url" className="min-w-52 grow">
        <Input
          type="url"
          required
          maxLength={2_000}
          placeholder="https://docs.google.com/spreadsheets/d/…"
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
      </Field>
      <Button type="submit" disabled={url.trim() === ''} aria-busy={isPending}>
        Read
      </Button>
    </form>
  )
}

type ConnectProps = Pick<Props, 'connect'> & { vendor: NonNullable<Props['vendor']>; isFirst: boolean }

/** Leads to the vendor's sign-in page. */
function Connect({ vendor, isFirst, connect }: ConnectProps) {
  const name = vendor === 'sandbox' ? 'the sandbox (made-up sheets)' : 'Google'
  return (
    <LeaveButton size="sm" leave={connect}>
      {isFirst ? `Connect ${name}` : `Connect another account at ${name}`}
    </LeaveButton>
  )
}
