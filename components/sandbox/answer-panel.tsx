'use client'

import { useState } from 'react'
import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { LinkButton } from '#components/ui/controls/link-button'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Textarea } from '#components/ui/controls/textarea'
import { Panel } from '#components/ui/layout/panel'
import type { SandboxAnswer } from '#lib/domain/sandbox/sandbox-answers'

const BY_A_MACHINE: { kind: SandboxAnswer; label: string }[] = [
  { kind: 'hard_bounce', label: 'Bounce: no such user' },
  { kind: 'soft_bounce', label: 'Bounce: mailbox full' },
  { kind: 'complaint', label: 'Mark as spam' },
  { kind: 'unsubscribe', label: 'Unsubscribe by mail' },
]

/** Plays the recipient: each reply is sent by SMTP to the sending mailbox and arrives like any other mail. */
export function AnswerPanel({ answer }: { answer: FormAction }) {
  /** Counts the answers sent; each leaves the form empty for the next. */
  const [sent, setSent] = useState(0)
  return (
    <Panel
      title="Answer as the recipient"
      description="Arrives by email, as from a real person or server."
      action={
        <LinkButton size="sm" href="/inbox">
          Open the inbox
        </LinkButton>
      }
    >
      <ActionForm action={answer} basis={sent} onDone={() => setSent(sent + 1)} className="grid gap-4">
        <div className="grid gap-3 sm:grid-cols-[minmax(0,1fr)_12rem]">
          <Field label="Reply text" name="text" hint="Leave empty for a default sentence.">
            <Textarea rows={2} />
          </Field>
          <Field label="Away until" name="until" hint="For an out-of-office reply.">
            <Input type="date" />
          </Field>
        </div>
        <div className="flex flex-wrap gap-2">
          <SubmitButton name="kind" value="reply">
            Reply
          </SubmitButton>
          <SubmitButton name="kind" value="out_of_office" variant="secondary">
            Out of office
          </SubmitButton>
          {BY_A_MACHINE.map(({ kind, label }) => (
            <SubmitButton key={kind} name="kind" value={kind} variant="secondary">
              {label}
            </SubmitButton>
          ))}
        </div>
      </ActionForm>
    </Panel>
  )
}
