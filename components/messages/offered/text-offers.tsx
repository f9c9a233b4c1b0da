'use client'

import type { RefObject } from 'react'
import type { Place } from './place.tsx'
import type { OfferingSource } from './source.tsx'
import { TemplateOffer } from './template-offer.tsx'
import { fittingFields } from './typed-field.tsx'
import { TypedOffer } from './typed-offer.tsx'

type Props = {
  frame: RefObject<HTMLElement | null>
  place: Place
  fields: readonly string[]
  source: OfferingSource | null
}

/** Suggestions while writing: merge fields after a brace, templates after a slash. */
export function TextOffers({ frame, place, fields, source }: Props) {
  return (
    <>
      <TypedOffer
        frame={frame}
        place={place}
        label="Merge fields"
        className="font-mono"
        typed={place.typedField}
        find={(typed) => fittingFields(fields, typed).map((name) => ({ id: name, name }))}
        put={({ name }) => place.putField(name)}
        known={fields}
      />
      {source && <TemplateOffer frame={frame} place={place} source={source} />}
    </>
  )
}
