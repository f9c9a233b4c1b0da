'use client'

import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { IconButton } from './controls/icon-button.tsx'
import { toast } from './overlays/toast.tsx'

export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), 1500)
    return () => clearTimeout(timer)
  }, [isCopied])

  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
    } catch {
      // Browsers refuse the clipboard on plain http away from localhost.
      toast.error('Your browser blocked copying. Select the text and copy it yourself.')
    }
  }

  return (
    <>
      <IconButton small label={label} onClick={copy}>
        {isCopied ? <Check className="text-success" /> : <Copy />}
      </IconButton>
      <span role="status" className="sr-only">
        {isCopied ? 'Copied' : ''}
      </span>
    </>
  )
}
