'use client'

import dynamic from 'next/dynamic'
import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'

const loadDialog = () =>
  import('#components/ui/overlays/confirm-dialog').then((module) => module.ConfirmDialog)
const ConfirmDialog = dynamic(loadDialog)

/** Asks before unsaved changes are left behind: the browser's own question on closing, ours on a link. */
export function LeaveGuard({ isDirty }: { isDirty: boolean }) {
  const [wanted, setWanted] = useState<string | null>(null)
  const router = useRouter()

  useEffect(() => {
    if (!isDirty) return
    // Before it is needed: without a network it could not come then.
    loadDialog().catch(() => undefined)
    const unload = (event: BeforeUnloadEvent) => event.preventDefault()
    const click = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null
      const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey
      if (!link || !isPlain || link.target === '_blank' || link.origin !== location.origin) return
      if (link.pathname === location.pathname) return
      event.preventDefault()
      // Nor does another guard of the page ask the same.
      event.stopImmediatePropagation()
      setWanted(link.pathname + link.search)
    }
    window.addEventListener('beforeunload', unload)
    // Before the router's own listener hears of it.
    document.addEventListener('click', click, { capture: true })
    return () => {
      window.removeEventListener('beforeunload', unload)
      document.removeEventListener('click', click, { capture: true })
    }
  }, [isDirty])

  if (wanted === null) return null
  return (
    <ConfirmDialog
      confirmation={{
        title: 'Leave with unsaved changes?',
        description: 'They are kept in this browser for when you come back, but they are not saved.',
        label: 'Leave',
      }}
      onConfirm={() => router.push(wanted)}
      onClose={() => setWanted(null)}
    />
  )
}
