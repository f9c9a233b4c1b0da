import { unstable_rethrow } from 'next/navigation'
import { useState, useTransition } from 'react'
import type { FormResult } from '#components/ui/controls/action-form'
import { useLock } from '#components/ui/controls/lock'
import { toast } from '#components/ui/overlays/toast'
import { useRun } from '#components/ui/use-action'
import type { StepConfig } from '#lib/contracts/campaigns/steps'
import type { CampaignType } from '#lib/domain/campaigns/campaign-type'
import type { Problems } from './problems.tsx'
import type { Item } from './steps.tsx'

export type SequenceEdit = {
  steps_config: StepConfig[]
  connected_account_id?: string | null
  /** Set if the steps require another campaign type. */
  type?: CampaignType
  /** The version the edit is based on. */
  version: number
}
/** For a launched campaign the answer contains the edit's id. */
export type SaveSequence = (edit: SequenceEdit) => Promise<FormResult & { edit_id?: string | null }>

type Refusal = { items: Item[]; message: string; fields: Record<string, string>; isStale: boolean }

/** A transition that starts only if the user may act; otherwise they are told whom to ask. */
function useUnlocked(): [isPending: boolean, start: (work: () => Promise<void>) => void] {
  const [isPending, startTransition] = useTransition()
  const lock = useLock()
  return [isPending, (work) => (lock ? lock.ask() : startTransition(work))]
}

/**
 * Saves the steps and keeps the server's answer. Whatever happens to the request, the steps stay on the screen as they
 * were.
 */
export function useSaving(
  save: SaveSequence,
  undo: (edit_id: string) => Promise<FormResult>,
  onSaved: (items: Item[], account_id: string | null) => void,
) {
  const [isSaving, startTransition] = useUnlocked()
  const [runUndo] = useRun()
  const [refusal, setRefusal] = useState<Refusal | null>(null)

  function run(
    items: Item[],
    account_id: string | null,
    isNewAccount: boolean,
    version: number,
    onRefused: () => void,
  ) {
    const refused = (message: string, fields: Record<string, string> = {}, isStale = false) => {
      setRefusal({ items, message, fields, isStale })
      if (!isStale) onRefused()
    }
    startTransition(async () => {
      const steps_config = items.map(({ step }) => step)
      try {
        const result = await save(
          isNewAccount
            ? { steps_config, connected_account_id: account_id, version }
            : { steps_config, version },
        )
        if (!result.ok) return refused(result.message, result.fields, result.stale)
        setRefusal(null)
        onSaved(items, account_id)
        toast.success(result.message ?? 'Sequence saved.', wayBack(result.edit_id))
      } catch (error) {
        unstable_rethrow(error)
        refused('The server could not be reached. Your steps are kept.')
      }
    })
  }

  /** Offers undo while nothing was sent under the edit, which the server checks. */
  const wayBack = (edit_id: string | null | undefined) =>
    edit_id
      ? { duration: 15_000, action: { label: 'Undo', onClick: () => runUndo(() => undo(edit_id)) } }
      : {}

  /** The server's errors for one step, by control, until something changes. */
  function findRefused(items: Item[], index: number): Problems {
    if (refusal?.items !== items) return {}
    const own = `steps_config.${index}.`
    return Object.fromEntries(
      Object.entries(refusal.fields).flatMap(([control, message]) =>
        control.startsWith(own) ? [[toControlName(control.slice(own.length)), message]] : [],
      ),
    )
  }
  return {
    isSaving,
    message: refusal?.message ?? null,
    isStale: refusal?.isStale ?? false,
    run,
    findRefused,
    forget: () => setRefusal(null),
  }
}

/** Errors of a variant's text belong to its own controls; all other variant errors belong to the weights. */
const toControlName = (path: string) =>
  path.startsWith('variants') && !/\.(subject|message_template)$/.test(path) ? 'weights' : path
