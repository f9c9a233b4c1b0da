'use client'

import { type RefObject, useEffect, useEffectEvent, useId, useLayoutEffect, useRef } from 'react'
import { type Offer, OfferedList, useOffered } from './offered.tsx'
import type { Place } from './place.tsx'

type Props = {
  /** The element around the field and the list. */
  frame: RefObject<HTMLElement | null>
  place: Place
  label: string
  className?: string
  /** The part of a name that is typed; null if none is. */
  typed: () => string | null
  find: (typed: string) => Offer[]
  put: (offer: Offer) => void
  /** Called for each change. */
  onTyped?: (typed: string | null) => void
  /** When this changes, suggestions are computed again. */
  known: unknown
}

/**
 * A suggestion list for the text being typed, controlled by the keys of the field, which the caller renders.
 */
export function TypedOffer({ frame, place, label, className, typed, find, put, onTyped, known }: Props) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const findTyped = () => (document.activeElement === place.field ? typed() : null)
  const offers = useOffered({
    find: () => {
      const name = findTyped()
      return name === null ? [] : find(name)
    },
    put,
  })
  const { offered, chosen, take, offer } = offers
  useHearing(frame, place, offers, () => {
    onTyped?.(findTyped())
    offer()
  })
  const offerNow = useEffectEvent(offer)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it may come after what asks for it
  useEffect(() => offerNow(), [known])
  useActive(place, offered.length > 0 ? { list: id, option: `${id}-${chosen}` } : null)
  // Measured after each change, so that the list follows the text.
  useLayoutEffect(() => {
    const box = frame.current
    if (!box || !list.current || offered.length === 0) return
    const at = place.locate(typed()?.length ?? 0)
    if (!at) return
    const most = box.clientWidth - list.current.offsetWidth
    list.current.style.left = `${Math.max(0, Math.min(at.left, most))}px`
    list.current.style.top = `${at.top}px`
  })
  return (
    <OfferedList
      ref={list}
      id={id}
      label={label}
      className={`z-20 ${className ?? ''}`}
      {...{ offered, chosen, take }}
    />
  )
}

type Offers = Pick<ReturnType<typeof useOffered>, 'offered' | 'offer' | 'onKey' | 'close'>

/** Handles keys before other listeners while suggestions are shown. */
function useHearing(frame: Props['frame'], { field, listen }: Place, offers: Offers, change: () => void) {
  const changed = useEffectEvent(change)
  const moved = useEffectEvent(() => offers.offered.length > 0 && offers.offer())
  const press = useEffectEvent((event: KeyboardEvent) => event.target === field && offers.onKey(event))
  const close = useEffectEvent(offers.close)
  useEffect(() => {
    const box = frame.current
    const onPress = (event: KeyboardEvent) => press(event)
    // If the caret moved elsewhere, the list closes and does not reopen.
    const onMoved = () => moved()
    const onBlur = () => close()
    const stop = listen(() => changed())
    box?.addEventListener('keydown', onPress, true)
    field.addEventListener('keyup', onMoved)
    field.addEventListener('click', onMoved)
    field.addEventListener('blur', onBlur)
    changed()
    return () => {
      stop()
      box?.removeEventListener('keydown', onPress, true)
      field.removeEventListener('keyup', onMoved)
      field.removeEventListener('click', onMoved)
      field.removeEventListener('blur', onBlur)
    }
  }, [frame, field, listen])
}

/** Sets attributes directly, because the field is rendered elsewhere. */
function useActive({ field }: Place, active: { list: string; option: string } | null) {
  const list = active?.list
  const option = active?.option
  useEffect(() => {
    if (!list || !option) return
    field.setAttribute('aria-controls', list)
    field.setAttribute('aria-activedescendant', option)
    return () => {
      field.removeAttribute('aria-controls')
      field.removeAttribute('aria-activedescendant')
    }
  }, [field, list, option])
}
