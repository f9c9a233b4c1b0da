import type { LedgerStatus } from '#lib/domain/leads/uncertain'
import { typedKeys } from '#lib/domain/text/record'

type Move = { from: readonly LedgerStatus[]; to: readonly LedgerStatus[] }

/** The transitions of an action in the ledger. `offer` and `pass_over` create its row if there is none yet. */
const MOVES = {
  offer: { from: ['retry'], to: ['sending'] },
  pass_over: { from: ['retry'], to: ['skipped'] },
  // By the worker that holds it, even after the worker was considered dead.
  report: { from: ['sending', 'uncertain'], to: ['sent', 'retry', 'failed', 'uncertain', 'skipped'] },
  // An incoming mail proves that it was sent.
  prove: { from: ['uncertain'], to: ['sent'] },
  // By the owner's decision.
  resolve: { from: ['uncertain'], to: ['sent', 'retry', 'failed'] },
  // It was handed over, and was returned temporarily.
  come_back: { from: ['sent', 'uncertain'], to: ['retry'] },
} as const satisfies Record<string, Move>

export type LedgerVerb = keyof typeof MOVES
export const LEDGER_VERBS = typedKeys(MOVES)
export type LedgerTarget<Verb extends LedgerVerb> = (typeof MOVES)[Verb]['to'][number]

export const ledgerFrom = (verb: LedgerVerb): readonly LedgerStatus[] => MOVES[verb].from
