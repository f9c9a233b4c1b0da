'use client'

import { Columns3 } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useRouter } from 'next/navigation'
import { useState, useTransition } from 'react'
import { Button } from '#components/ui/controls/button'
import { toast } from '#components/ui/overlays/toast'
import { type Query, queryHref } from '#components/ui/query-href'
import { type Choosable, choiceText, columnCookie, MAX_CHOICE_CHARS, onlyThese } from './columns.tsx'

// Loaded inside its own boundary; otherwise the table around it would disappear while loading, along with the
// button's focus.
const ColumnDialog = dynamic(() => import('./column-dialog.tsx').then((module) => module.ColumnDialog), {
  loading: () => null,
})

/** Browsers keep cookies no longer than this. */
const KEPT_SECONDS = 400 * 86_400

/** The columns of a table: those available, those shown, and where the choice is stored. */
export type ColumnChoice = {
  table: string
  path: string
  all: Choosable[]
  shown: string[]
}

type Props = {
  choice: ColumnChoice
  /** Set if the URL determines the columns: a new choice is then put into the URL and not stored. */
  address?: Query | undefined
}

/** Stored in a cookie per table, which the server reads so that the first paint is right. */
function keepChoice({ table, path, all }: ColumnChoice, shown: string[]): boolean {
  const choice = encodeURIComponent(choiceText(all, shown))
  if (choice.length > MAX_CHOICE_CHARS) return false
  const age = choice === '' ? 0 : KEPT_SECONDS
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Safari and Firefox
  document.cookie = `${columnCookie(table)}=${choice}; path=${path}; max-age=${age}; samesite=lax`
  return true
}

export function ColumnChooser({ choice, address }: Props) {
  const router = useRouter()
  const [isOpen, setOpen] = useState(false)
  const [isPending, startTransition] = useTransition()
  function show(shown: string[]) {
    setOpen(false)
    startTransition(() => {
      if (address) {
        router.replace(queryHref(choice.path, address, { columns: onlyThese(shown) }), { scroll: false })
      } else if (keepChoice(choice, shown)) router.refresh()
      else toast.error('Too many columns to save. Hide some of them.')
    })
  }
  return (
    <>
      <Button
        className="max-sm:h-9"
        aria-haspopup="dialog"
        aria-busy={isPending}
        onClick={() => setOpen(true)}
      >
        <Columns3 aria-hidden /> Columns
      </Button>
      {isOpen && (
        <ColumnDialog all={choice.all} shown={choice.shown} onShow={show} onClose={() => setOpen(false)} />
      )}
    </>
  )
}
