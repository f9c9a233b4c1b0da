'use client'

import dynamic from 'next/dynamic'
import { useRouter } from 'next/navigation'
import { useLayoutEffect, useState } from 'react'
import { LEAVING } from './leaving.tsx'

const loadDialog = () =>
  import('#components/ui/overlays/confirm-dialog').then((module) => module.ConfirmDialog)
const ConfirmDialog = dynamic(loadDialog, { loading: () => null })

/** Set once the user agreed, so that another guard on the page does not ask again. */
let isAgreed = false

/** Returns to the history entry where the browser was stopped. */
async function goBackTo(key: string) {
  isAgreed = true
  await window.navigation.traverseTo(key).finished?.catch(() => undefined)
  isAgreed = false
}

/**
 * Asks before unsaved changes are left: the browser's own dialog on closing, ours on a link, a shortcut, the
 * command menu or the back button. If a browser cannot block going back, the text is still kept as a draft.
 */
export function LeaveGuard({ isDirty }: { isDirty: boolean }) {
  const [goOn, setGoOn] = useState<(() => void) | null>(null)
  const router = useRouter()

  // A layout effect, so that the guard is removed together with the page: going back right afterwards must not ask any more.
  useLayoutEffect(() => {
    if (!isDirty) return
    // Preloaded: it could not be loaded without a network.
    loadDialog().catch(() => undefined)
    /** Also stops other guards of the page from asking. */
    const hold = (event: Event, then: () => void) => {
      event.preventDefault()
      event.stopImmediatePropagation()
      setGoOn(() => then)
    }
    const unload = (event: BeforeUnloadEvent) => event.preventDefault()
    const click = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null
      const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey
      if (!link || !isPlain || link.target === '_blank' || link.origin !== location.origin) return
      if (link.pathname === location.pathname) return
      hold(event, () => router.push(link.pathname + link.search))
    }
    const leaving = (event: CustomEvent<string>) => {
      const href = event.detail
      if (new URL(href, location.href).pathname !== location.pathname) hold(event, () => router.push(href))
    }
    const navigate = (event: NavigateEvent) => {
      const { key, url, sameDocument } = event.destination
      if (isAgreed || event.navigationType !== 'traverse' || !event.cancelable) return
      // When the document changes, the browser asks by its own dialog.
      if (!sameDocument || new URL(url).pathname === location.pathname) return
      hold(event, () => goBackTo(key))
    }
    window.addEventListener('beforeunload', unload)
    // Registered in the capture phase, to run before the router's own listener.
    document.addEventListener('click', click, { capture: true })
    document.addEventListener(LEAVING, leaving)
    window.navigation?.addEventListener('navigate', navigate)
    return () => {
      window.removeEventListener('beforeunload', unload)
      document.removeEventListener('click', click, { capture: true })
      document.removeEventListener(LEAVING, leaving)
      window.navigation?.removeEventListener('navigate', navigate)
    }
  }, [isDirty, router])

  if (goOn === null) return null
  return (
    <ConfirmDialog
      confirmation={{
        title: 'Leave with unsaved changes?',
        description: 'They stay in this browser until you come back, but they are not saved.',
        label: 'Leave',
      }}
      onConfirm={goOn}
      onClose={() => setGoOn(null)}
    />
  )
}
