'use client'

import { ChevronDown, FileText } from 'lucide-react'
import { type KeyboardEvent, type RefObject, useId } from 'react'
import { beforeCaret, holdPlace } from '#components/messages/offered/hold-place'
import { type Offer, OfferedList, useOffered } from '#components/messages/offered/offered'
import { fittingTemplates, typedTemplate } from '#components/messages/offered/typed-template'
import { buttonClass } from '#components/ui/controls/button'
import { useLock } from '#components/ui/controls/lock'
import { Menu } from '#components/ui/overlays/menu'
import { MenuChoice } from '#components/ui/overlays/menu-choice'
import { toast } from '#components/ui/overlays/toast'
import { submitsByKey } from './submit-key.tsx'

export type TemplateText =
  | { ok: true; name: string; text: string; missing: string[] }
  | { ok: false; message: string }
export type ReadTemplate = (template_id: string) => Promise<TemplateText>

const list = (fields: string[]) => new Intl.ListFormat('en').format(fields)

/** Suggests templates after "/", rendered with the lead's fields. */
export function useTemplates(frame: RefObject<HTMLElement | null>, templates: Offer[], read: ReadTemplate) {
  const id = useId()
  const field = () => frame.current?.querySelector('textarea')
  async function insert({ id: template_id, name }: Offer) {
    const control = field()
    if (!control) return
    const put = holdPlace(control)
    const answer = await read(template_id).catch(
      () => ({ ok: false, message: 'The server could not be reached.' }) as const,
    )
    if (!answer.ok) return void toast.error(answer.message, { duration: Number.POSITIVE_INFINITY })
    put(answer.text)
    const { missing } = answer
    toast(
      missing.length === 0
        ? `“${name}” is in your answer.`
        : `“${name}” was inserted. Fill in ${list(missing.map((field) => `[${field}]`))}: this lead has no value for it.`,
    )
  }
  const offers = useOffered({
    find: () => {
      const control = field()
      const typed = control ? typedTemplate(beforeCaret(control)) : null
      return typed === null ? [] : fittingTemplates(templates, typed)
    },
    put: (template) => void insert(template),
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

/** The same as a menu, for users who do not know the key. */
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
