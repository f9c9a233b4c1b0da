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
      title="Take your data with you"
      description="Every row of this account, of every table, as lines of JSON. Passwords and keys are left out."
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

/** The button works once the account's address is typed; the server asks for the password too where there is one. */
export function ErasePanel({ account, will_erase, token, erase }: Props) {
  const [typed, setTyped] = useState('')
  const lost = NOUNS.filter(([key]) => (will_erase[key] ?? 0) > 0).map(
    ([key, one, many]) =>
      `${(will_erase[key] ?? 0).toLocaleString('en')} ${will_erase[key] === 1 ? one : many}`,
  )
  return (
    <Panel title="Erase this account" className="border-danger">
      <ActionForm action={erase} className="grid max-w-xl gap-4">
        <p className="text-sm text-pretty text-muted">
          Everything is deleted immediately and permanently{lost.length > 0 && <>: {lost.join(', ')}</>}.
          Running campaigns stop first. Emails that a server has accepted cannot be recalled. Unsubscribe
          links keep working.
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
