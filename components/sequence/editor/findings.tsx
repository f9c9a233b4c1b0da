import { useMemo, useState } from 'react'
import { disallowedSteps } from '#lib/domain/campaigns/campaign-type'
import { actingAccounts } from '../accounts.tsx'
import type { SequenceProps } from '../editor-props.tsx'
import { stepProblems } from '../problems.tsx'
import type { useEditor } from '../use-editor.tsx'
import type { SequenceEdit } from '../use-saving.tsx'

export type Editor = ReturnType<typeof useEditor>

/**
 * The props with the campaign's type as edited: "mixed" once the user chose so, which each save then
 * includes.
 */
export function useCampaignType(given: SequenceProps) {
  const [isMixed, setMixed] = useState(false)
  const type = isMixed ? 'mixed' : given.type
  const withType = (edit: SequenceEdit): SequenceEdit => (type === given.type ? edit : { ...edit, type })
  const props: SequenceProps = {
    ...given,
    type,
    save: (edit) => given.save(withType(edit)),
    preview: (edit) => given.preview(withType(edit)),
  }
  return { props, mix: () => setMixed(true) }
}

/**
 * Derived from the steps: the acting accounts, errors per step, and steps that do not fit the campaign's
 * type.
 */
export function useFindings(
  props: SequenceProps,
  { sequence: { items, account_id }, baseline, saving }: Editor,
) {
  const { accounts, locked, reached, type } = props
  const acting = useMemo(() => actingAccounts(accounts, account_id), [accounts, account_id])
  const steps = useMemo(() => items.map(({ step }) => step), [items])
  const findSaved = (key: string) => baseline.items.find((item) => item.key === key)?.step
  const problems = items.map((item, index) => ({
    ...(locked || item.step.step <= reached ? {} : stepProblems(item, findSaved(item.key), acting)),
    ...saving.findRefused(items, index),
  }))
  return {
    acting,
    steps,
    findSaved,
    problems,
    wrong: problems.flatMap((fields, index) => (Object.keys(fields).length > 0 ? [index] : [])),
    unfit: locked
      ? []
      : disallowedSteps(type, steps).filter((index) => !props.steps.some((step) => step === steps[index])),
  }
}

export type Findings = ReturnType<typeof useFindings>
