'use client'

import { clsx } from 'clsx'
import { useEffect, useRef, useState } from 'react'
import { KeptFields } from '#components/drafts/kept-fields'
import { ActionButton } from '#components/ui/controls/action-button'
import { ActionForm, type FormAction, type FormResult } from '#components/ui/controls/action-form'
import { Button } from '#components/ui/controls/button'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { ActingButton } from '#components/ui/controls/lock'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Textarea } from '#components/ui/controls/textarea'
import { Badge } from '#components/ui/feedback/badge'
import type { Generation } from '#lib/contracts/personalize/generations'
import { LeadCells, TextCard } from './text-card.tsx'

type Acts = {
  approve: (generationId: string) => Promise<FormResult>
  reject: (generationId: string) => Promise<FormResult>
  anew: (generationId: string) => Promise<FormResult>
  edit: (generationId: string, previous: FormResult | null, data: FormData) => Promise<FormResult>
}

type Props = {
  texts: Generation[]
  /** The dataset's columns, in order. */
  columns: string[]
  acts: Acts
  open: boolean
  /** The default writer of the texts. */
  writer: string
}

/** Lead and text side by side. j and k move, a approves, r rejects, e edits. */
export function ReviewList({ texts, columns, acts, open, writer }: Props) {
  const [place, setPlace] = useState(0)
  const [editing, setEditing] = useState<string | null>(null)
  const list = useRef<HTMLOListElement>(null)

  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isWriting =
        event.target instanceof Element && event.target.closest('input, textarea, select, dialog')
      if (event.metaKey || event.ctrlKey || event.altKey || isWriting) return
      // The second key of a navigation shortcut.
      if (document.documentElement.hasAttribute('data-jump')) return
      const step = event.key === 'j' ? 1 : event.key === 'k' ? -1 : 0
      if (step !== 0) {
        const next = Math.min(texts.length - 1, Math.max(0, place + step))
        setPlace(next)
        const item = list.current?.children[next]
        if (item instanceof HTMLElement) item.focus()
        return
      }
      const button = { a: 'approve', r: 'reject', e: 'edit' }[event.key]
      if (button)
        list.current?.children[place]?.querySelector<HTMLButtonElement>(`[data-act="${button}"]`)?.click()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [place, texts.length])

  return (
    <ol ref={list} aria-label="Texts" className="grid gap-3">
      {texts.map((text, index) => (
        <li
          key={text.generation_id}
          tabIndex={-1}
          aria-current={index === place ? 'true' : undefined}
          onFocus={() => setPlace(index)}
          className={clsx(
            'grid gap-4 rounded-md border bg-surface p-4 md:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] md:gap-8',
            index === place ? 'border-accent-border' : 'border-border',
          )}
        >
          <LeadCells cells={text.lead_snapshot} columns={columns} claims={text.claims} />
          <div className="grid content-start gap-3">
            {editing === text.generation_id ? (
              <EditForm
                text={text}
                save={acts.edit.bind(null, text.generation_id)}
                close={() => setEditing(null)}
              />
            ) : (
              <TextCard text={text} usual={writer} />
            )}
            {open && text.status !== 'pending' && editing !== text.generation_id && (
              <Buttons text={text} acts={acts} edit={() => setEditing(text.generation_id)} />
            )}
          </div>
        </li>
      ))}
    </ol>
  )
}

function Buttons({ text, acts, edit }: { text: Generation; acts: Acts; edit: () => void }) {
  const id = text.generation_id
  const isStale = text.changed_cells.length > 0
  return (
    <div className="flex flex-wrap items-center gap-2">
      {text.approved_at && !isStale && <Badge tone="success">Approved</Badge>}
      {isStale && <Badge tone="warning">Needs another look: {text.changed_cells.join(', ')} changed</Badge>}
      {text.status === 'rejected' && <Badge tone="danger">Rejected</Badge>}
      {text.status === 'generated' && (!text.approved_at || isStale) && (
        <ActionButton size="sm" data-act="approve" act={() => acts.approve(id)}>
          {isStale ? 'Approve as is' : 'Approve'}
        </ActionButton>
      )}
      {text.status === 'generated' && (
        <ActionButton size="sm" variant="ghost" data-act="reject" act={() => acts.reject(id)}>
          Reject
        </ActionButton>
      )}
      <ActingButton size="sm" variant="ghost" data-act="edit" onClick={edit}>
        Edit
      </ActingButton>
      <ActionButton size="sm" variant="ghost" act={() => acts.anew(id)}>
        Rewrite
      </ActionButton>
    </div>
  )
}

function EditForm({ text, save, close }: { text: Generation; save: FormAction; close: () => void }) {
  return (
    <ActionForm action={save} onDone={close} className="grid gap-3">
      <KeptFields
        name={`text:${text.generation_id}`}
        what="The text"
        version={text.version}
        values={{ subject: text.subject, body: text.body }}
      />
      <Field label="Subject" name="subject">
        <Input defaultValue={text.subject ?? ''} maxLength={998} />
      </Field>
      <Field label="Text" name="body" required>
        <Textarea rows={8} defaultValue={text.body ?? ''} />
      </Field>
      <div className="flex gap-2">
        <SubmitButton>Save</SubmitButton>
        <Button type="button" variant="ghost" onClick={close}>
          Cancel
        </Button>
      </div>
    </ActionForm>
  )
}
