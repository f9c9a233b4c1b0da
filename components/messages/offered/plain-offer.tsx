'use client'

import { type RefObject, useEffect, useState } from 'react'
import { isHtml } from '#lib/domain/messages/html'
import { mergeField } from '../merge-fields.tsx'
import { beforeCaret, holdPlace } from './hold-place.tsx'
import type { Place } from './place.tsx'
import { putText } from './put-text.tsx'
import type { OfferingSource } from './source.tsx'
import { TextOffers } from './text-offers.tsx'
import { typedField } from './typed-field.tsx'

type Control = HTMLInputElement | HTMLTextAreaElement

type Props = {
  frame: RefObject<HTMLElement | null>
  fields: readonly string[]
  source: OfferingSource | null
}

const LINE_PX = 26

/** Suggestions for the plain control in the frame. */
export default function PlainOffer({ frame, fields, source }: Props) {
  const [place, setPlace] = useState<Place | null>(null)
  useEffect(() => {
    const control = frame.current?.querySelector<Control>('input, textarea')
    setPlace(control ? createPlace(control) : null)
  }, [frame])
  return place && <TextOffers {...{ frame, place, fields, source }} />
}

const createPlace = (control: Control): Place => ({
  field: control,
  locate: () => {
    // The highlighted copy under the control knows the caret's position.
    const mark = control.parentElement?.querySelector<HTMLElement>('[data-caret]')
    if (!mark) return null
    return { left: mark.offsetLeft - control.scrollLeft, top: mark.offsetTop - control.scrollTop + LINE_PX }
  },
  listen: (heard) => {
    control.addEventListener('input', heard)
    return () => control.removeEventListener('input', heard)
  },
  typedField: () => typedField(control.value, control.selectionStart ?? 0)?.name ?? null,
  putField: (name) => {
    const typed = typedField(control.value, control.selectionStart ?? 0)
    if (typed) putText(control, mergeField(name), typed.from, typed.to)
  },
  before: () => {
    const before = beforeCaret(control)
    // A "/" inside an HTML tag does not start a template name.
    return isHtml(control.value) && before.lastIndexOf('<') > before.lastIndexOf('>') ? '' : before
  },
  hold: () => {
    const put = holdPlace(control)
    return async (body) => {
      put(await (isHtml(control.value) ? toMarkup(body) : toPlain(body)))
      return null
    }
  },
})

async function toMarkup(body: string): Promise<string> {
  if (isHtml(body)) return body
  const { plainToSource } = await import('../rich/rich-source.tsx')
  return plainToSource(body)
}

async function toPlain(body: string): Promise<string> {
  if (!isHtml(body)) return body
  const { sourceToPlain } = await import('../rich/convert.tsx')
  return sourceToPlain(body).text
}
