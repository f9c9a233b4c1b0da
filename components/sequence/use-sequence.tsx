import { useReducer } from 'react'
import type { StepConfig } from '#lib/contracts/campaigns/steps'
import { typedKeys } from '#lib/domain/text/record'
import type { Kind } from './kinds.tsx'
import { type Item, MOST_STEPS, movedTo, newStep, numbered } from './steps.tsx'

export type Sequence = {
  items: Item[]
  /** Key of the selected step; null if there is none. */
  chosen: string | null
  /** Label of the open variant; if null or unknown, the first one. */
  variant: string | null
  account_id: string | null
  /** Announcement of the last move for screen readers. */
  said: string
  /** Where the focus goes after the last action: a card in the list, or the editor. */
  focus: { key: string; place: 'card' | 'pane' } | null
  next_key: number
  /** Undo and redo stacks; the last entry is the next one. */
  past: Moment[]
  future: Moment[]
  /** The field edited last; further typing there belongs to the same undo step. */
  written: string | null
}

type Moment = Pick<Sequence, 'items' | 'chosen' | 'account_id'>

export type SequenceAct =
  | { act: 'choose'; key: string; variant?: string | null }
  | { act: 'show'; variant: string }
  | { act: 'change'; key: string; step: StepConfig }
  | { act: 'add'; kind: Kind; at: number }
  | { act: 'move'; key: string; to: number }
  | { act: 'remove'; key: string }
  | { act: 'paste'; step: StepConfig; at: number }
  | { act: 'undo' }
  | { act: 'redo' }
  | { act: 'account'; account_id: string | null }
  | { act: 'replace'; steps: StepConfig[]; account_id: string | null }

export const toItems = (steps: StepConfig[]): Item[] =>
  steps.map((step, index) => ({ key: `step-${index + 1}`, step }))

export function opened(steps: StepConfig[], account_id: string | null): Sequence {
  const items = toItems(steps)
  const chosen = items[0]?.key ?? null
  const nothing = { said: '', focus: null, past: [], future: [], written: null }
  return { items, chosen, variant: null, account_id, next_key: 1, ...nothing }
}

/** Applies an action to the steps, without recording undo. */
function apply(state: Sequence, action: SequenceAct): Sequence {
  const { items } = state
  const index = 'key' in action ? items.findIndex(({ key }) => key === action.key) : -1
  const item = items[index]
  switch (action.act) {
    case 'choose':
      return { ...state, chosen: action.key, variant: action.variant ?? state.variant }
    case 'show':
      return { ...state, variant: action.variant }
    case 'change':
      return {
        ...state,
        items: items.map((one) => (one.key === action.key ? { ...one, step: action.step } : one)),
      }
    case 'add':
      return inserted(state, newStep(action.kind, action.at), action.at, 'pane')
    case 'paste':
      return inserted(state, action.step, action.at, 'card')
    case 'move': {
      if (!item || action.to === index || action.to < 0 || action.to >= items.length) return state
      const next = numbered(movedTo(items, index, action.to))
      const said = `Step ${index + 1} is now step ${action.to + 1}.`
      return { ...state, items: next, said, focus: { key: action.key, place: 'card' } }
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
        said: `Step ${index + 1} removed.`,
        focus: near ? { key: near, place: 'card' } : null,
      }
    }
    case 'account':
      return { ...state, account_id: action.account_id }
    case 'replace':
      return opened(action.steps, action.account_id)
    default:
      return state
  }
}

function inserted(state: Sequence, step: StepConfig, at: number, place: 'card' | 'pane'): Sequence {
  const { items, next_key } = state
  if (items.length >= MOST_STEPS) return state
  const key = `new-${next_key}`
  const next = numbered([...items.slice(0, at), { key, step }, ...items.slice(at)])
  const said = `Step ${at + 1} added.`
  return { ...state, items: next, chosen: key, said, focus: { key, place }, next_key: next_key + 1 }
}

const MOST_PAST = 100
const moment = ({ items, chosen, account_id }: Sequence): Moment => ({ items, chosen, account_id })

/** Undo or redo: the current state moves to the other stack. */
function travelled(state: Sequence, back: boolean): Sequence {
  const { past, future } = state
  const to = (back ? past : future).at(-1)
  if (!to) return state
  const key = to.items.find((item) => item.key === to.chosen)?.key ?? null
  return {
    ...state,
    ...to,
    past: back ? past.slice(0, -1) : [...past, moment(state)],
    future: back ? [...future, moment(state)] : future.slice(0, -1),
    written: null,
    said: back ? 'Undone.' : 'Done again.',
    focus: key === null ? null : { key, place: 'card' },
  }
}

/** The field that an action edits, if it edits text. */
function writtenIn(state: Sequence, action: SequenceAct): string | null {
  if (action.act !== 'change') return null
  const step = state.items.find(({ key }) => key === action.key)?.step
  const fields = step ? typedKeys(step).filter((field) => step[field] !== action.step[field]) : []
  return `${action.key}:${state.variant}:${fields.join()}`
}

export function reduce(state: Sequence, action: SequenceAct): Sequence {
  if (action.act === 'undo' || action.act === 'redo') return travelled(state, action.act === 'undo')
  const next = apply(state, action)
  if (action.act === 'replace') return next
  if (next.items === state.items && next.account_id === state.account_id) return { ...next, written: null }
  const written = writtenIn(state, action)
  if (written !== null && written === state.written) return { ...next, future: [] }
  return { ...next, written, past: [...state.past, moment(state)].slice(-MOST_PAST), future: [] }
}

/** The state of the editor, independent of what is saved. */
export const useSequence = (steps: StepConfig[], account_id: string | null) =>
  useReducer(reduce, null, () => opened(steps, account_id))
