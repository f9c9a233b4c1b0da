'use client'

import { useState } from 'react'
import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { buttonClass } from '#components/ui/controls/button'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Panel } from '#components/ui/layout/panel'
import type { Account } from '#lib/contracts/workspaces/account'

export function ExportPanel() {
  return (
    <Panel
      title="Export your data"
      description="All data in this account, as lines of JSON. Passwords and keys are left out."
      action={
        <a href="/settings/account/export" download className={buttonClass({})}>
          Export everything
        </a>
      }
    />
  )
}

type Props = {
  account: Pick<Account, 'email' | 'has_password'>
  will_erase: Record<string, number>
  token: string
  erase: FormAction
}

const NOUNS: [key: string, one: string, many: string][] = [
  ['campaigns', 'campaign', 'campaigns'],
  ['running_campaigns', 'of them running', 'of them running'],
  ['datasets', 'dataset', 'datasets'],
  ['leads', 'lead', 'leads'],
  ['templates', 'template', 'templates'],
  ['mailboxes', 'mailbox', 'mailboxes'],
  ['threads', 'conversation', 'conversations'],
]

const wordsFor = (will_erase: Record<string, number>) =>
  NOUNS.filter(([key]) => (will_erase[key] ?? 0) > 0)
    .map(
      ([key, one, many]) =>
        `${(will_erase[key] ?? 0).toLocaleString('en')} ${will_erase[key] === 1 ? one : many}`,
    )
    .join(', ')

/** What is lost and cannot be undone; the same for workspaces and accounts. */
function Lost({ will_erase }: Pick<Props, 'will_erase'>) {
  const lost = wordsFor(will_erase)
  return (
    <>
      Everything is deleted immediately and permanently{lost && <>: {lost}</>}. Running campaigns stop first.
      Emails that a server has accepted cannot be recalled. Unsubscribe links keep working.
    </>
  )
}

type WorkspaceProps = Omit<Props, 'account'> & { name: string; members: number }

/** The button is enabled once the workspace's name is typed. */
export function EraseWorkspacePanel({ name, members, will_erase, token, erase }: WorkspaceProps) {
  const [typed, setTyped] = useState('')
  return (
    <Panel title="Erase this workspace" className="border-danger-border">
      <ActionForm action={erase} className="grid max-w-xl gap-4">
        <p className="text-sm text-pretty text-muted">
          <Lost will_erase={will_erase} />{' '}
          {members > 1 && `All ${members.toLocaleString('en')} members lose it; their accounts stay. `}
          {members === 1 && 'Your account stays. '}
          To keep a copy, export it first in Settings → Account.
        </p>
        <input type="hidden" name="token" value={token} />
        <Field label={`Type ${name} to confirm`} name="erased_name">
          <Input
            autoComplete="off"
            spellCheck={false}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </Field>
        <div>
          <SubmitButton variant="danger" disabled={typed.trim() !== name.trim()}>
            Erase the workspace
          </SubmitButton>
        </div>
      </ActionForm>
    </Panel>
  )
}

/**
 * The button is enabled once the account's address is typed; the server also asks for the password if there
 * is one.
 */
export function ErasePanel({ account, will_erase, token, erase }: Props) {
  const [typed, setTyped] = useState('')
  return (
    <Panel title="Erase this account" className="border-danger-border">
      <ActionForm action={erase} className="grid max-w-xl gap-4">
        <p className="text-sm text-pretty text-muted">
          <Lost will_erase={will_erase} />
        </p>
        <input type="hidden" name="token" value={token} />
        <Field label={`Type ${account.email} to confirm`} name="email">
          <Input
            autoComplete="off"
            spellCheck={false}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </Field>
        {account.has_password && (
          <Field label="Your password" name="password" required>
            <Input type="password" autoComplete="current-password" maxLength={1000} />
          </Field>
        )}
        <div>
          <SubmitButton
            variant="danger"
            disabled={typed.trim().toLowerCase() !== account.email.toLowerCase()}
          >
            Erase everything
          </SubmitButton>
        </div>
      </ActionForm>
    </Panel>
  )
}
