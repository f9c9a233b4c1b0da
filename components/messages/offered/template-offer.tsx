'use client'

import { type RefObject, useRef, useState } from 'react'
import { toast } from '#components/ui/overlays/toast'
import type { Offer } from './offered.tsx'
import type { Place } from './place.tsx'
import type { OfferingSource, TemplateWords } from './source.tsx'
import { TypedOffer } from './typed-offer.tsx'
import { fittingTemplates, typedTemplate } from './typed-template.tsx'

const UNHEARD = { ok: false, message: 'The server could not be reached.' } as const

type Props = { frame: RefObject<HTMLElement | null>; place: Place; source: OfferingSource }

/** Templates matching what is typed after "/". */
export function TemplateOffer({ frame, place, source }: Props) {
  const { templates, load } = useNames(source)
  return (
    <TypedOffer
      frame={frame}
      place={place}
      label="Templates"
      typed={() => typedTemplate(place.before())}
      find={(typed) => fittingTemplates(templates ?? [], typed)}
      put={(template) => void insert(place.hold(), template, source)}
      // Another template may have been saved since the last request.
      onTyped={(typed) => {
        if (typed === '' || (typed !== null && templates === null)) void load()
      }}
      known={templates}
    />
  )
}

function useNames({ list, except }: OfferingSource) {
  const [templates, setTemplates] = useState<Offer[] | null>(null)
  const isAsked = useRef(false)
  async function load() {
    if (isAsked.current) return
    isAsked.current = true
    const answer = await list().catch(() => UNHEARD)
    isAsked.current = false
    if (!answer.ok) return void toast.error(answer.message)
    const others = answer.templates.filter(({ id }) => id !== except)
    setTemplates((known) => (JSON.stringify(known) === JSON.stringify(others) ? known : others))
  }
  return { templates, load }
}

async function insert(put: ReturnType<Place['hold']>, { id, name }: Offer, { read }: OfferingSource) {
  const answer: TemplateWords = await read(id).catch(() => UNHEARD)
  const refusal = answer.ok ? await put(answer.body) : answer.message
  if (refusal !== null)
    return void toast.error(`“${name}” was not inserted. ${refusal}`, { duration: Number.POSITIVE_INFINITY })
  toast(`“${name}” was inserted${answer.ok && answer.has_files ? ' without its files' : ''}.`)
}
