import { useReducer } from 'react'
import type { StepConfig } from '#lib/contracts/campaigns/steps'
import type { Kind } from './kinds.tsx'
import { type Item, MOST_STEPS, movedTo, newStep, numbered } from './steps.tsx'

export type Sequence = {
  items: Item[]
  /** Key of the step in the editor; null where there is none. */
  chosen: string | null
  account_id: string | null
  /** What was taken away last, until something else happens to the order. */
  removed: { item: Item; index: number } | null
  /** What a screen reader hears of the last move. */
  said: string
  /** Where the hand goes on after the last act: at a card of the flow, or in the editor. */
  focus: { key: string; place: 'card' | 'pane' } | null
  next_key: number
}

export type SequenceAct =
  | { act: 'choose'; key: string }
  | { act: 'change'; key: string; step: StepConfig }
  | { act: 'add'; kind: Kind; at: number }
  | { act: 'move'; key: string; to: number }
  | { act: 'remove'; key: string }
  | { act: 'undo' }
  | { act: 'account'; account_id: string | null }
  | { act: 'replace'; steps: StepConfig[]; account_id: string | null }

export const toItems = (steps: StepConfig[]): Item[] =>
  steps.map((step, index) => ({ key: `step-${index + 1}`, step }))

export function opened(steps: StepConfig[], account_id: string | null): Sequence {
  const items = toItems(steps)
  const chosen = items[0]?.key ?? null
  return { items, chosen, account_id, removed: null, said: '', focus: null, next_key: 1 }
}

function reduce(state: Sequence, action: SequenceAct): Sequence {
  const { items } = state
  const index = 'key' in action ? items.findIndex(({ key }) => key === action.key) : -1
  const item = items[index]
  switch (action.act) {
    case 'choose':
      return { ...state, chosen: action.key }
    case 'change':
      return {
        ...state,
        items: items.map((one) => (one.key === action.key ? { ...one, step: action.step } : one)),
      }
    case 'add': {
      if (items.length >= MOST_STEPS) return state
      const key = `new-${state.next_key}`
      const fresh = { key, step: newStep(action.kind, action.at) }
      const next = numbered([...items.slice(0, action.at), fresh, ...items.slice(action.at)])
      const said = `Step ${action.at + 1} added.`
      const focus = { key, place: 'pane' as const }
      return { ...state, items: next, chosen: key, removed: null, said, focus, next_key: state.next_key + 1 }
    }
    case 'move': {
      if (!item || action.to === index || action.to < 0 || action.to >= items.length) return state
      const next = numbered(movedTo(items, index, action.to))
      const said = `Step ${index + 1} is now step ${action.to + 1}.`
      return { ...state, items: next, removed: null, said, focus: { key: action.key, place: 'card' } }
    }
    case 'remove': {
      if (!item) return state
      const next = numbered(items.filter(({ key }) => key !== action.key))
      const chosen = state.chosen === action.key ? (next[Math.max(0, index - 1)]?.key ?? null) : state.chosen
      const near = next[Math.min(index, next.length - 1)]?.key
      return {
        ...state,
        items: next,
        chosen: chosen ?? near ?? null,
        removed: { item, index },
        said: `Step ${index + 1} removed.`,
        focus: near ? { key: near, place: 'card' } : null,
      }
    }
    case 'undo': {
      if (!state.removed) return state
      const { item: back, index: at } = state.removed
      const next = numbered([...items.slice(0, at), back, ...items.slice(at)])
      const said = `Step ${at + 1} is back.`
      return {
        ...state,
        items: next,
        chosen: back.key,
        removed: null,
        said,
        focus: { key: back.key, place: 'card' },
      }
    }
    case 'account':
      return { ...state, account_id: action.account_id }
    case 'replace':
      return opened(action.steps, action.account_id)
  }
}

/** The steps under the hand, apart from what is saved. */
export const useSequence = (steps: StepConfig[], account_id: string | null) =>
  useReducer(reduce, null, () => opened(steps, account_id))
