'use client'

import dynamic from 'next/dynamic'
import { useEffect, useRef, useState } from 'react'
import { Button } from '#components/ui/controls/button'

const Talk = dynamic(() => import('./talk.tsx').then((module) => module.Talk), { loading: () => null })

/**
 * Ctrl/Cmd+J opens and closes it. Its code loads on first use, and the conversation is kept while it is
 * closed.
 */
export function AssistantDrawer({ token }: { token: () => Promise<string> }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [used, setUsed] = useState(false)
  useEffect(() => {
    const toggle = () => {
      setUsed(true)
      if (dialog.current?.open) dialog.current.close()
      else dialog.current?.showModal()
    }
    function onKey(event: KeyboardEvent) {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'j') return
      event.preventDefault()
      toggle()
    }
    document.addEventListener('keydown', onKey)
    document.addEventListener('opener:assistant', toggle)
    return () => {
      document.removeEventListener('keydown', onKey)
      document.removeEventListener('opener:assistant', toggle)
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-label="Assistant"
      className="m-0 ml-auto h-dvh max-h-none w-full max-w-md flex-col bg-raised p-0 shadow-raised open:flex motion-safe:open:animate-enter"
    >
      <header className="flex items-center justify-between border-b border-border px-4 py-2">
        <h2 className="font-medium">Assistant</h2>
        <Button size="sm" variant="ghost" onClick={() => dialog.current?.close()}>
          Close
        </Button>
      </header>
      {used && <Talk token={token} />}
    </dialog>
  )
}
