'use client'

import { Sparkles } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState, useTransition } from 'react'
import { KeptFields } from '#components/drafts/kept-fields'
import { AttachButton } from '#components/messages/attached/attach-button'
import { AttachedList } from '#components/messages/attached/attached-list'
import { type AttachActs, useAttached } from '#components/messages/attached/use-attached'
import type { Offer } from '#components/messages/offered/offered'
import { ActionButton } from '#components/ui/controls/action-button'
import {
  ActionForm,
  type FormAction,
  type FormResult,
  useFormAnswer,
} from '#components/ui/controls/action-form'
import { Field } from '#components/ui/controls/field'
import { ActingButton } from '#components/ui/controls/lock'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Textarea } from '#components/ui/controls/textarea'
import { Callout } from '#components/ui/feedback/callout'
import type { TimeChoice } from '#components/ui/overlays/time-menu'
import { toast } from '#components/ui/overlays/toast'
import type { InboxDraft } from '#lib/contracts/inbox/inbox-drafts'
import { AddressLine, CopyFields, type Others } from './copy-fields.tsx'
import { type Proposal, ProposalNote } from './proposal-note.tsx'
import { SendMenu } from './send-menu.tsx'
import { type AnswerResult, useReceipt } from './send-receipt.tsx'
import { OfferedTemplates, type ReadTemplate, TemplateMenu, useTemplates } from './template-offer.tsx'
import { useSeen } from './use-seen.tsx'

export type DraftAnswer = ({ ok: true; text: string } & Proposal) | { ok: false; message: string }

type Props = {
  thread_id: string
  to: string
  from: string | null
  last_message_id: string | null
  /** The draft to start with, for a reply that was begun or taken back. */
  begun: Pick<InboxDraft, 'draft_id' | 'text' | 'cc' | 'bcc' | 'attachments' | 'stopped'> | null
  /** Further recipients of the latest message; null in a chat, which has no copies. */
  others: Others | null
  /** Uploads attachments; null in a chat, which accepts none. */
  attach: AttachActs | null
  times: TimeChoice[]
  zone: string
  send: (previous: FormResult | null, data: FormData) => Promise<AnswerResult>
  takeBack: (draft_id: string) => Promise<FormResult>
  discard: (draft_id: string) => Promise<FormResult>
  draft: () => Promise<DraftAnswer>
  templates: Offer[]
  readTemplate: ReadTemplate
}

/** Emits an input event, so that the text is kept like typed text. */
function put(control: HTMLTextAreaElement, text: string) {
  control.value = text
  control.dispatchEvent(new Event('input', { bubbles: true }))
}

/** Inserts a proposed text, with an undo that restores what was typed. */
function useProposal(field: () => HTMLTextAreaElement | null | undefined, draft: Props['draft']) {
  const [proposal, setProposal] = useState<Proposal | null>(null)
  const [isDrafting, startTransition] = useTransition()
  function propose() {
    startTransition(async () => {
      const answer = await draft().catch(
        () => ({ ok: false, message: 'The server could not be reached.' }) as const,
      )
      if (!answer.ok) return void toast.error(answer.message, { duration: Number.POSITIVE_INFINITY })
      const control = field()
      if (!control) return
      const typed = control.value
      put(control, answer.text)
      control.focus()
      setProposal(answer)
      if (!typed.trim()) return
      const onClick = () => {
        put(control, typed)
        setProposal(null)
      }
      toast('The draft replaced what you wrote.', {
        action: { label: 'Undo', onClick },
        duration: 8_000,
      })
    })
  }
  return { proposal, isDrafting, propose, forget: () => setProposal(null) }
}

/**
 * Clears the form once per sent reply. The page may render again while the user types and report the same
 * result when the form already contains other text.
 */
function useOnce(action: FormAction) {
  const isSent = useRef(false)
  const send: FormAction = async (previous, data) => {
    const result = await action(previous, data)
    isSent.current = result.ok
    return result
  }
  const taken = () => {
    const wasSent = isSent.current
    isSent.current = false
    return wasSent
  }
  return { send, taken }
}

/** The undo button disappears when pressed, so move the focus back to the text field. */
function useTakenBack(frame: RefObject<HTMLElement | null>, basis: string) {
  const isBack = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the words are there with another basis
  useEffect(() => {
    if (isBack.current) frame.current?.querySelector('textarea')?.focus()
    isBack.current = false
  }, [frame, basis])
  return () => {
    isBack.current = true
  }
}

/** Text stays in the form until it is sent. A proposed draft is only inserted; the user sends it. */
export function AnswerForm(props: Props) {
  const { thread_id, to, last_message_id, begun, times, zone } = props
  const frame = useRef<HTMLDivElement>(null)
  const { proposal, isDrafting, propose, forget } = useProposal(
    () => frame.current?.querySelector('textarea'),
    props.draft,
  )
  const { seen, isBehind, catchUp } = useSeen(frame, last_message_id)
  const templates = useTemplates(frame, props.templates, props.readTemplate)
  const basis = begun?.draft_id ?? 'new'
  const { send, taken } = useOnce(useReceipt(props.send, props.takeBack, useTakenBack(frame, basis)))
  const attached = useAttached(props.attach, basis, begun?.attachments ?? [])
  const attachButton = useRef<HTMLButtonElement>(null)
  return (
    <div ref={frame}>
      <ActionForm
        action={send}
        basis={basis}
        className="relative grid data-over:rounded-sm data-over:outline-2 data-over:outline-offset-4 data-over:outline-accent-text grid-cols-[minmax(0,1fr)] justify-items-start gap-2 *:[[role=alert]]:mb-0"
        onDone={() => {
          if (!taken()) return
          frame.current?.querySelector('form')?.reset()
          forget()
          catchUp()
        }}
      >
        <KeptFields name={`answer:${begun?.draft_id ?? thread_id}`} what="The conversation" />
        <input type="hidden" name="last_message_id" value={seen ?? ''} data-unkept />
        <input type="hidden" name="draft_id" value={begun?.draft_id ?? ''} data-unkept />
        {begun?.stopped && <Callout tone="warning">This answer was not sent. {begun.stopped}</Callout>}
        {/* Addresses come before the text, so that Send comes right after it. */}
        <Addressing {...props} />
        <Field label={`Answer ${to}`} hideLabel name="text" className="w-full">
          <Textarea
            rows={2}
            required
            defaultValue={begun?.text}
            className="in-data-used:min-h-32!"
            {...templates.wiring}
          />
        </Field>
        <OfferedTemplates {...templates} />
        {props.attach && <AttachedList attached={attached} button={attachButton} />}
        <div className="flex flex-wrap items-center gap-2 max-sm:gap-1.5">
          <SendButton newest={isBehind ? last_message_id : null} />
          <SendMenu times={times} zone={zone} />
          {props.attach && <AttachButton attached={attached} button={attachButton} />}
          <ActingButton onClick={propose} aria-busy={isDrafting}>
            <Sparkles aria-hidden />
            <span className="max-sm:sr-only">{isDrafting ? 'Drafting…' : 'Draft a reply'}</span>
          </ActingButton>
          <TemplateMenu templates={props.templates} insert={templates.insert} />
          {begun && (
            <ActionButton variant="ghost" act={() => props.discard(begun.draft_id)}>
              Discard
            </ActionButton>
          )}
          <p role="status" className="text-sm text-muted empty:sr-only">
            {proposal && <ProposalNote proposal={proposal} />}
          </p>
        </div>
      </ActionForm>
    </div>
  )
}

/** Sender, recipient and copies. */
function Addressing({ others, begun, to, from }: Props) {
  const addresses = (
    <p className="min-w-0 truncate text-muted">
      To {to}
      {from && ` from ${from}`}
    </p>
  )
  if (others)
    return (
      <CopyFields others={others} begun={begun}>
        {addresses}
      </CopyFields>
    )
  return (
    <div className="-mb-2 w-full">
      <AddressLine>{addresses}</AddressLine>
    </div>
  )
}

/**
 * If somebody replied first, their message is shown above, and sending means it was seen, by whatever button
 * or key. `newest`: the message that arrived while the user was typing.
 */
function SendButton({ newest }: { newest: string | null }) {
  const { result } = useFormAnswer()
  const isRefused = result?.ok === false && result.stale === true
  const isLate = newest !== null || isRefused
  return (
    <>
      {isLate && <input type="hidden" name="anyway" value={newest ?? 'on'} data-unkept />}
      {newest !== null && !isRefused && (
        <p role="status" className="w-full text-sm text-warning">
          A newer message came while you were writing.
        </p>
      )}
      <SubmitButton variant="primary" title="Ctrl+Enter">
        {isLate ? 'Send anyway' : 'Send'}
      </SubmitButton>
    </>
  )
}
