'use client'

import { ChevronDown, FileText } from 'lucide-react'
import { type KeyboardEvent, type RefObject, useId } from 'react'
import { buttonClass } from '#components/ui/controls/button'
import { useLock } from '#components/ui/controls/lock'
import { Menu } from '#components/ui/overlays/menu'
import { MenuChoice } from '#components/ui/overlays/menu-choice'
import { toast } from '#components/ui/overlays/toast'
import { MAX_TYPED, MOST_OFFERED, type Offer, OfferedList, useOffered } from '../offered.tsx'
import { submitsByKey } from './submit-key.tsx'

export type TemplateText =
  | { ok: true; name: string; text: string; missing: string[] }
  | { ok: false; message: string }
export type ReadTemplate = (template_id: string) => Promise<TemplateText>

/** Those that what is typed behind a / may mean, at the beginning of a word: any part of their names. */
const matching = (templates: Offer[]) => (value: string, caret: number) => {
  const at = value.lastIndexOf('/', caret - 1)
  const typed = value.slice(at + 1, caret).toLowerCase()
  const isWord = at >= 0 && (at === 0 || /\s/.test(value[at - 1] ?? ''))
  if (!isWord || typed.includes('\n') || typed.startsWith(' ') || typed.length > MAX_TYPED)
    return { at, candidates: [] }
  const candidates = templates.filter(({ name }) => name.toLowerCase().includes(typed))
  return { at, candidates: candidates.slice(0, MOST_OFFERED) }
}

function write(control: HTMLTextAreaElement, text: string, from: number, to: number) {
  control.setRangeText(text, from, to, 'end')
  control.dispatchEvent(new Event('input', { bubbles: true }))
  control.focus()
}

const list = (fields: string[]) => new Intl.ListFormat('en').format(fields)

/** Templates behind a /, with the lead's own fields. */
export function useTemplates(frame: RefObject<HTMLElement | null>, templates: Offer[], read: ReadTemplate) {
  const id = useId()
  async function insert({ id: template_id, name }: Offer) {
    const answer = await read(template_id).catch(
      () => ({ ok: false, message: 'The server could not be reached.' }) as const,
    )
    if (!answer.ok) return void toast.error(answer.message, { duration: Number.POSITIVE_INFINITY })
    const control = frame.current?.querySelector('textarea')
    if (!control) return
    const { selectionStart, selectionEnd } = control
    write(control, answer.text, selectionStart, selectionEnd)
    const { missing } = answer
    toast(
      missing.length === 0
        ? `“${name}” is in your answer.`
        : `“${name}” was inserted. Fill in ${list(missing.map((field) => `[${field}]`))}: this lead has no value for it.`,
    )
  }
  const offers = useOffered(frame, {
    find: matching(templates),
    put: (control, from, template) => {
      control.setRangeText('', from, control.selectionStart, 'end')
      void insert(template)
    },
  })
  const { offered, chosen, onKey, offer, close } = offers
  const wiring = {
    'aria-autocomplete': 'list' as const,
    'aria-controls': id,
    'aria-activedescendant': offered.length > 0 ? `${id}-${chosen}` : undefined,
    placeholder: templates.length > 0 ? 'Write, or type / for a template' : undefined,
    onInput: offer,
    onBlur: close,
    onKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>) => {
      if (!submitsByKey(event)) onKey(event)
    },
  }
  return { ...offers, id, wiring, insert }
}

type Offered = Pick<ReturnType<typeof useTemplates>, 'id' | 'offered' | 'chosen' | 'take'>

export const OfferedTemplates = ({ id, offered, chosen, take }: Offered) => (
  <OfferedList id={id} label="Templates" offered={offered} chosen={chosen} take={take} />
)

/** The same for whoever does not know the key. */
export function TemplateMenu({ templates, insert }: { templates: Offer[]; insert: (one: Offer) => void }) {
  if (useLock() || templates.length === 0) return null
  return (
    <Menu
      label="Templates"
      triggerClass={buttonClass({})}
      trigger={
        <>
          <FileText aria-hidden className="sm:hidden" />
          <span className="max-sm:sr-only">Templates</span>
          <ChevronDown aria-hidden className="max-sm:hidden" />
        </>
      }
    >
      <div className="max-h-72 overflow-y-auto">
        {templates.map((template) => (
          <MenuChoice key={template.id} onChoose={() => insert(template)}>
            <span className="min-w-0 truncate">{template.name}</span>
          </MenuChoice>
        ))}
      </div>
    </Menu>
  )
}
