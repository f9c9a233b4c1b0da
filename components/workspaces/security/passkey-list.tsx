'use client'

import { KeyRound } from 'lucide-react'
import { useEffect, useState } from 'react'
import { SortHead } from '#components/lists/sort-head'
import { ActionForm, type FormResult } from '#components/ui/controls/action-form'
import { Button } from '#components/ui/controls/button'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Badge } from '#components/ui/feedback/badge'
import { Callout } from '#components/ui/feedback/callout'
import { EmptyState } from '#components/ui/feedback/empty-state'
import { Panel } from '#components/ui/layout/panel'
import { Table, Td, Tr } from '#components/ui/layout/table'
import { ConfirmDialog } from '#components/ui/overlays/confirm-dialog'
import { Dialog } from '#components/ui/overlays/dialog'
import { DialogActions } from '#components/ui/overlays/dialog-actions'
import type { Query } from '#components/ui/query-href'
import { RelativeTime } from '#components/ui/relative-time'
import { useRun } from '#components/ui/use-action'
import { ZonedTime } from '#components/ui/zoned-time'
import { AddPasskey, type PasskeyActions } from '#components/workspaces/security/add-passkey'
import { useProof } from '#components/workspaces/security/proof'
import { canUsePasskeys } from '#components/workspaces/sign-in/passkeys'
import type { Passkey } from '#lib/contracts/workspaces/passkeys'

type Props = {
  passkeys: Passkey[]
  /** The order is the `passkeys` parameter of the URL. */
  sorting: { path: string; query: Query }
  now: string
  zone: string
  /** The instance's host name, if the page was opened under an IP address, where passkeys do not work. */
  named: string | null
  actions: PasskeyActions
}

export function PasskeyList({ passkeys, sorting, now, zone, named, actions }: Props) {
  // Starts with the server's knowledge, to avoid a layout shift.
  const [canUse, setCanUse] = useState(named === null)
  useEffect(() => setCanUse(canUsePasskeys()), [])
  return (
    <Panel
      title="Passkeys"
      description="Sign in with your face, fingerprint or PIN. A passkey replaces both the password and the second factor."
      action={canUse && <AddPasskey actions={actions} />}
      flush
    >
      {!canUse && <NoPasskeysHere named={named} />}
      {passkeys.length === 0 ? (
        <EmptyState
          icon={<KeyRound />}
          title="No passkeys"
          description="Add one for each device you sign in from."
        />
      ) : (
        <PasskeyTable {...{ passkeys, sorting, now, zone, actions }} />
      )}
    </Panel>
  )
}

type TableProps = Omit<Props, 'named'>

const COLUMNS = [
  { column: 'name', label: 'Name' },
  { column: 'created_at', label: 'Added', first: 'down' },
  { column: 'last_used_at', label: 'Last used', first: 'down' },
] as const

function PasskeyTable({ passkeys, sorting, now, zone, actions }: TableProps) {
  return (
    <Table caption="Passkeys">
      <SortHead {...sorting} name="passkeys" columns={COLUMNS} hasActions />
      <tbody>
        {passkeys.map((passkey) => (
          <Tr key={passkey.passkey_id}>
            <Td lead>
              {passkey.name} {passkey.backed_up && <Badge>synced</Badge>}
            </Td>
            <Td label="Added">
              <ZonedTime at={passkey.created_at} zone={zone} style="date" />
            </Td>
            <Td label="Last used">
              {passkey.last_used_at ? (
                <RelativeTime at={passkey.last_used_at} now={now} />
              ) : (
                <span className="text-muted">never</span>
              )}
            </Td>
            <Td className="w-px">
              <PasskeyActs passkey={passkey} actions={actions} />
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  )
}

function NoPasskeysHere({ named }: { named: string | null }) {
  return (
    <Callout tone="info" className="m-4">
      {named ? (
        <>
          Passkeys need a host name, which this address does not have. Open{' '}
          <a className="underline" href={`${named}/settings/security`}>
            {named}
          </a>{' '}
          to add one.
        </>
      ) : (
        'This browser or address does not support passkeys. They need a host name and https.'
      )}
    </Callout>
  )
}

function PasskeyActs({ passkey, actions }: { passkey: Passkey; actions: PasskeyActions }) {
  const [open, setOpen] = useState<'rename' | 'remove' | null>(null)
  const [run, isPending] = useRun()
  const ensure = useProof()
  const close = () => setOpen(null)
  const { passkey_id, name, version } = passkey
  const rename = (_: FormResult | null, data: FormData) =>
    actions.rename(passkey_id, String(data.get('name')), version)

  return (
    <span className="flex justify-end gap-1">
      <Button size="sm" variant="ghost" onClick={() => setOpen('rename')} aria-label={`Rename ${name}`}>
        Rename
      </Button>
      <Button
        size="sm"
        variant="ghost"
        aria-busy={isPending}
        onClick={() => ensure(() => setOpen('remove'))}
        aria-label={`Remove ${name}`}
      >
        Remove
      </Button>
      <Dialog isOpen={open === 'rename'} onClose={close} title="Rename the passkey">
        <ActionForm action={rename} onDone={close} className="grid gap-4">
          <Field label="Name" name="name" required>
            <Input defaultValue={name} maxLength={100} />
          </Field>
          <DialogActions>
            <SubmitButton>Save</SubmitButton>
          </DialogActions>
        </ActionForm>
      </Dialog>
      {open === 'remove' && (
        <ConfirmDialog
          confirmation={{
            title: `Remove ${name}?`,
            description:
              'It can no longer sign in. Signed-in browsers stay signed in. Delete it from the device too.',
            label: 'Remove',
            danger: true,
          }}
          onConfirm={() => run(() => actions.remove(passkey_id))}
          onClose={close}
        />
      )}
    </span>
  )
}
